import { useEffect, useRef } from "preact/hooks";
import type { Game, Ply } from "../game";
import { useVoice } from "../texts";
import { boardBefore, describePlayed, takenBy } from "./sentences";

interface Props {
  game: Game; // all of it
  at: number;
  onStep: (at: number) => void;
}

// A row for South's and North's move, whoever began.
function rowsOf(game: Game): ({ ply: Ply; number: number } | null)[][] {
  const cells = game.plies.map((ply, i) => ({ ply, number: i + 1 }));
  const shifted = game.start.to_move === "North" ? [null, ...cells] : cells;
  return Array.from({ length: Math.ceil(shifted.length / 2) }, (_, row) =>
    shifted.slice(2 * row, 2 * row + 2),
  );
}

export function Moves({ game, at, onStep }: Props) {
  const voice = useVoice();
  const { play } = voice.texts;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>("[aria-current]");
    if (box && current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }, [at, game.moves]);

  return (
    <section class="card moves">
      <h2>{play.moves}</h2>
      {game.plies.length === 0 && <p class="aside">{play.no_moves}</p>}
      <div class="moves-list" ref={list}>
        <ol>
          {rowsOf(game).map((row, i) => (
            <li key={i}>
              {row.map((cell) =>
                cell ? (
                  <button
                    key={cell.number}
                    type="button"
                    aria-current={cell.number === at ? "step" : undefined}
                    onClick={() => onStep(cell.number)}
                  >
                    <span aria-hidden="true">
                      {cell.ply.move}
                      {takenBy(cell.ply) > 0 && <small>+{takenBy(cell.ply)}</small>}
                    </span>
                    <span class="unseen">
                      {describePlayed(
                        voice,
                        boardBefore(game, cell.number - 1).to_move,
                        cell.ply,
                      )}
                    </span>
                  </button>
                ) : (
                  <span key="none" />
                ),
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
