import type { Game } from "../game";
import { useVoice } from "../texts";
import {
  boardBefore,
  describeEnd,
  describePlayed,
  describeTurn,
  describeWinner,
} from "./sentences";
import type { Table } from "./table";

interface Props {
  game: Game;
  table: Table;
  hint: string | null; // letter
}

// Who is to move, what was played, how it ended: seen and, when it changes, heard.
export function Status({ game, table, hint }: Props) {
  const voice = useVoice();
  const last = game.plies.at(-1);
  const mover = game.board.to_move;
  const thinking = !game.over && table[mover] === "agent" && table.at === table.moves.length;
  return (
    <div class="status" role="status" data-over={game.over ? "" : undefined}>
      <p class={thinking ? "headline thinking" : "headline"}>
        {game.over
          ? describeWinner(voice, game)
          : describeTurn(voice, mover, thinking ? "agent" : "human")}
      </p>
      <p class="detail">
        {last &&
          describePlayed(voice, boardBefore(game, game.plies.length - 1).to_move, last)}{" "}
        {game.over && describeEnd(voice, game)}
        {hint && <b>{voice.fill(voice.texts.play.hint_is, { pit: hint })}</b>}
      </p>
    </div>
  );
}
