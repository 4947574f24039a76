// A logged game as charts. Curves over the game are seen from South, whoever moves.
import type { Chart } from "./chart";
import type { LoggedGame } from "./data";

// A game's ply i begins at the position after i moves.
export const boardAt = ({ game }: LoggedGame, ply: number) =>
  game.plies[ply - 1]?.after ?? game.start;

export const moverAt = (logged: LoggedGame, ply: number) => boardAt(logged, ply).to_move;

const signs = (logged: LoggedGame) =>
  logged.game.plies.map((_, ply) => (moverAt(logged, ply) === "South" ? 1 : -1));

function overGame(logged: LoggedGame, cursor: number, of: "value" | "margin_seeds") {
  const sign = signs(logged);
  return {
    kind: "lines" as const,
    xKey: "plies",
    xLabel: "plies played",
    reference: 0,
    cursor,
    base: {
      run: 0,
      x: logged.game.plies.map((_, ply) => ply),
      notes: logged.game.plies.map(({ move }, ply) =>
        logged.oracle[ply]?.lost ? `${move} loses the result` : null,
      ),
    },
    column: {
      y: sign.map((factor, ply) => {
        const search = logged.searches[ply];
        return search ? factor * search[of] : null;
      }),
    },
  };
}

export function valueChart(logged: LoggedGame, cursor: number): Chart {
  const { base, column, ...rest } = overGame(logged, cursor, "value");
  return {
    ...rest,
    yLabel: "South's value",
    yDomain: [-1, 1],
    metrics: [{ key: "value_of_south", label: "search" }],
    data: [{ ...base, columns: [column] }],
  };
}

export function marginChart(logged: LoggedGame, cursor: number): Chart {
  const { base, column, ...rest } = overGame(logged, cursor, "margin_seeds");
  const bounds = signs(logged).map((sign, ply) => {
    const word = logged.oracle[ply];
    if (!word) return null;
    const [low, high] = word.before;
    return sign > 0 ? [low, high] : [-high, -low];
  });
  const table = {
    y: bounds.map((pair) => (pair && pair[0] === pair[1] ? (pair[0] ?? null) : null)),
    low: bounds.map((pair) => pair?.[0] ?? null),
    high: bounds.map((pair) => pair?.[1] ?? null),
  };
  const known = bounds.some((pair) => pair !== null);
  return {
    ...rest,
    yLabel: "South's final margin, seeds",
    metrics: [
      { key: "margin_of_south", label: "search" },
      ...(known ? [{ key: "table_of_south", label: "endgame table" }] : []),
    ],
    data: [{ ...base, columns: known ? [column, table] : [column] }],
  };
}

const percent = (values: (number | null)[]) => {
  const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return values.map((value) => (value === null || sum === 0 ? null : (100 * value) / sum));
};

export function searchChart(logged: LoggedGame, ply: number): Chart {
  const search = logged.searches[ply];
  return {
    kind: "bars",
    metrics: [
      { key: "prior_percent", label: "network's prior" },
      { key: "visits_percent", label: "visits of the search" },
    ],
    xKey: "pit",
    xLabel: "pit",
    yLabel: "%",
    yDomain: [0, 100],
    data: [
      {
        run: 0,
        x: [0, 1, 2, 3, 4, 5],
        names: [...(moverAt(logged, ply) === "South" ? "ABCDEF" : "abcdef")],
        columns: search ? [{ y: percent(search.priors) }, { y: percent(search.visits) }] : [],
      },
    ],
  };
}
