import type { Side } from "../game";
import { useVoice } from "../texts";
import type { Change, Player, Table } from "./table";

const sides: Side[] = ["South", "North"];
const players: Player[] = ["human", "agent"];

interface Props {
  table: Table;
  change: Change;
  name: string; // of the form: radio buttons of the same name exclude each other
}

export function Players({ table, change, name }: Props) {
  const { board, play } = useVoice().texts;
  return (
    <div class="players">
      {sides.map((side) => (
        <fieldset key={side} class="segments">
          <legend>{board[side]}</legend>
          {players.map((player) => (
            <label key={player}>
              <input
                type="radio"
                name={`${name}-${side}`}
                checked={table[side] === player}
                onChange={() => change({ [side]: player })}
              />
              <span>{play.players[player]}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
