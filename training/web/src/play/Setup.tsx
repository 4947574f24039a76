import type { Game } from "../game";
import { useVoice } from "../texts";
import type { Info } from "./api";
import { Players } from "./Players";
import { RulesText } from "./RulesText";
import { presetName } from "./rulesText";
import { Strength } from "./Strength";
import type { Change, Table } from "./table";

interface Props {
  info: Info;
  table: Table;
  game: Game;
  change: Change;
}

// What may be changed in the middle of a game, and the rules, which may not.
export function Setup({ info, table, game, change }: Props) {
  const voice = useVoice();
  const { play } = voice.texts;
  return (
    <section class="card setup">
      <h2>{play.setup}</h2>
      <Players table={table} change={change} name="now" />
      <Strength info={info} simulations={table.simulations} change={change} />
      <details>
        <summary>
          {play.rules} <b>{presetName(voice, game.rules)}</b>
        </summary>
        <RulesText rules={game.parameters} />
      </details>
    </section>
  );
}
