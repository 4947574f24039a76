import { useEffect, useState } from "preact/hooks";
import { Board } from "../board/Board";
import type { LoggedGame } from "./data";
import { Figure } from "./Figure";
import { boardAt, marginChart, moverAt, searchChart, valueChart } from "./gameCharts";
import { fixed, significant } from "./numbers";
import { Section } from "./Section";
import { useBox } from "./useBox";
import { useView, ViewContext } from "./view";

const half = (seeds: number) => fixed(seeds, Number.isInteger(seeds) ? 0 : 1);

function resultOf({ game }: LoggedGame): string {
  if (!game.over) return "not over";
  const { South, North } = game.over.final;
  return `${half(South)}–${half(North)}`;
}

const bounds = ([low, high]: [number, number]) =>
  low === high ? `${fixed(low, 0)}` : `${fixed(low, 0)} to ${fixed(high, 0)}`;

function LastMove({ logged, ply }: { logged: LoggedGame; ply: number }) {
  const move = logged.game.plies[ply - 1];
  if (!move) return <p>The beginning of the game.</p>;
  const word = logged.oracle[ply - 1];
  return (
    <p>
      {ply}. <strong>{move.move}</strong>: {move.text}.
      {word?.lost && (
        <span class="lost">
          {" "}
          It loses the result: {moverAt(logged, ply - 1)}&rsquo;s final margin was{" "}
          {bounds(word.before)} with best play, and is {bounds(word.after)} now.
        </span>
      )}
    </p>
  );
}

function Outlook({ logged, ply }: { logged: LoggedGame; ply: number }) {
  const { over, plies } = logged.game;
  if (ply === plies.length) {
    if (!over) return <p>The game was not played to its end.</p>;
    return (
      <p class="score">
        South {half(over.final.South)}, North {half(over.final.North)}.{" "}
        {over.winner ? `${over.winner} wins` : "A draw"}: {over.text}.
      </p>
    );
  }
  const search = logged.searches[ply];
  const mover = moverAt(logged, ply);
  if (!search) return <p>{mover} to move; not searched.</p>;
  return (
    <p>
      {mover} to move; the search says value {significant(search.value, 2)}, margin{" "}
      {fixed(search.margin_seeds, 1)} seeds for {mover}.
    </p>
  );
}

const pauseMs = 500;

function Game({ logged }: { logged: LoggedGame }) {
  const { plies } = logged.game;
  const [{ ply, animated }, setPlace] = useState({ ply: 0, animated: false });
  const [playing, setPlaying] = useState(false);
  const [settled, setSettled] = useState("");
  const board = boardAt(logged, ply);

  const go = (to: number) =>
    setPlace({ ply: Math.max(0, Math.min(plies.length, to)), animated: to === ply + 1 });
  const jump = (to: number) => {
    setPlaying(false);
    go(to);
  };

  useEffect(() => {
    if (!playing || settled !== board.position) return;
    if (ply === plies.length) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => go(ply + 1), pauseMs);
    return () => clearTimeout(timer);
  }, [playing, settled, ply]);

  const keys: Record<string, () => void> = {
    ArrowLeft: () => jump(ply - 1),
    ArrowRight: () => jump(ply + 1),
    Home: () => jump(0),
    End: () => jump(plies.length),
  };
  const press = (event: KeyboardEvent) => {
    const target = event.target as Element;
    const act = keys[event.key];
    if (
      !act ||
      target.closest("input, .scroll") ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey
    ) {
      return;
    }
    event.preventDefault();
    act();
  };

  const searched = logged.searches.some(Boolean);
  const tags = Object.entries(logged.tags);
  // What is disabled for the browser would lose the focus, and with it the arrow keys.
  const button = (label: string, text: string, to: number, off: boolean) => (
    <button type="button" aria-label={label} aria-disabled={off} onClick={() => jump(to)}>
      {text}
    </button>
  );

  return (
    <div
      class="game"
      role="group"
      aria-label={`${logged.title}: arrow keys step through it`}
      tabIndex={0}
      onKeyDown={press}
    >
      <div class="play">
        <Board
          board={board}
          ply={plies[ply - 1] ?? null}
          before={animated ? boardAt(logged, ply - 1) : null}
          onSettled={setSettled}
        />
        <div class="steps">
          {button("To the beginning", "«", 0, ply === 0)}
          {button("One ply back", "‹", ply - 1, ply === 0)}
          <button
            type="button"
            aria-pressed={playing}
            aria-disabled={ply === plies.length}
            onClick={() => setPlaying(!playing)}
          >
            {playing ? "Pause" : "Play"}
          </button>
          {button("One ply on", "›", ply + 1, ply === plies.length)}
          {button("To the end", "»", plies.length, ply === plies.length)}
          <input
            type="range"
            aria-label="Ply"
            min={0}
            max={plies.length}
            value={ply}
            onInput={(event) => jump(Number(event.currentTarget.value))}
          />
          <output>
            {ply} / {plies.length}
          </output>
        </div>
        <div class="words" aria-live={playing ? "off" : "polite"}>
          <LastMove logged={logged} ply={ply} />
          <Outlook logged={logged} ply={ply} />
        </div>
        <Moves logged={logged} ply={ply} onGo={jump} />
        {tags.length > 0 && (
          <p class="remark">{tags.map(([name, value]) => `${name}: ${value}`).join(" · ")}</p>
        )}
      </div>
      {searched && (
        <div class="figures">
          <Figure
            title="Prior and visits"
            height={150}
            eager
            note="Of the position on the board, of the player to move."
            build={() => searchChart(logged, ply)}
          />
          <Figure
            title="Value"
            height={170}
            eager
            note={
              "Of the search, seen from South whoever moves: 1 is won for South. A cross: a " +
              "move that loses a certain result."
            }
            build={() => valueChart(logged, ply)}
          />
          <Figure
            title="Margin"
            height={170}
            eager
            note={
              "South's final seeds minus North's, as the search expects them and as the endgame " +
              "table bounds them."
            }
            build={() => marginChart(logged, ply)}
          />
        </div>
      )}
    </div>
  );
}

interface MovesProps {
  logged: LoggedGame;
  ply: number;
  onGo: (ply: number) => void;
}

function Moves({ logged, ply, onGo }: MovesProps) {
  return (
    <div class="movelist" role="group" aria-label="Moves">
      {logged.game.plies.map(({ move }, i) => {
        const lost = logged.oracle[i]?.lost;
        return (
          <button
            key={i}
            type="button"
            class={lost ? "lost" : undefined}
            aria-current={i + 1 === ply ? "step" : undefined}
            aria-label={`Ply ${i + 1}, ${move}${lost ? ", loses the result" : ""}`}
            onClick={() => onGo(i + 1)}
          >
            {move}
          </button>
        );
      })}
    </div>
  );
}

const alone = { runs: [], smoothing: 1, hidden: new Set<number>() };

export function GameViewer({ games }: { games: LoggedGame[] }) {
  const view = useView();
  const { box, width } = useBox<HTMLDivElement>();
  const [chosen, setChosen] = useState(0);
  const logged = games[chosen];
  return (
    <Section id="viewer" title="Game viewer" missing={!logged && "There are no games to look at."}>
      <div class="viewer" ref={box}>
        <ol class="games scroll" aria-label="Games">
          {games.map((other, i) => {
            const errors = other.oracle.filter((word) => word?.lost).length;
            return (
              <li key={i}>
                <button type="button" aria-current={i === chosen} onClick={() => setChosen(i)}>
                  {other.title}
                  <small>
                    {resultOf(other)}, {other.game.plies.length} plies
                    {errors > 0 && `, ${errors} lost`}
                  </small>
                </button>
              </li>
            );
          })}
        </ol>
        {logged && width > 0 && (
          <ViewContext.Provider value={{ ...view, ...alone }}>
            <Game key={chosen} logged={logged} />
          </ViewContext.Provider>
        )}
      </div>
    </Section>
  );
}
