// All that a tab knows: the game, who plays it, what is shown. It is kept in the address, after the
// "#", so that a reload goes on where it was and every tab has a game of its own.
import { useEffect, useState } from "preact/hooks";
import type { Side } from "../game";
import type { GameRequest, Info, Rules } from "./api";

export type Player = "human" | "agent";

export interface Table extends GameRequest, Record<Side, Player> {
  at: number; // plies of `moves` that are shown
  simulations: number;
  turned: boolean; // the board, against the way the players would see it
  analysis: boolean;
}

export type Change = (change: Partial<Table>) => void;

export function newTable(info: Info): Table {
  return {
    rules: info.presets[0]?.name ?? "",
    start: "start",
    moves: "",
    at: 0,
    South: "human",
    North: "agent",
    simulations: info.simulations,
    turned: false,
    analysis: false,
  };
}

function parseRules(text: string): Rules {
  try {
    return text.startsWith("{") ? (JSON.parse(text) as Rules) : text;
  } catch {
    return text;
  }
}

const player = (text: string | null, otherwise: Player): Player =>
  text === "human" || text === "agent" ? text : otherwise;

const between = (text: string | null, low: number, high: number, otherwise: number): number => {
  const value = text === null ? NaN : Number(text);
  return Number.isInteger(value) && value >= low && value <= high ? value : otherwise;
};

export function parseTable(fragment: string, info: Info): Table {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const table = newTable(info);
  const moves = words.get("moves") ?? table.moves;
  return {
    rules: parseRules(words.get("rules") ?? String(table.rules)),
    start: words.get("start") ?? table.start,
    moves,
    at: between(words.get("at"), 0, moves.length, moves.length),
    South: player(words.get("south"), table.South),
    North: player(words.get("north"), table.North),
    simulations: between(words.get("simulations"), 1, info.most_simulations, table.simulations),
    turned: words.has("turned"),
    analysis: words.has("analysis"),
  };
}

export function formatTable(table: Table): string {
  const { rules } = table;
  const words = new URLSearchParams({
    rules: typeof rules === "string" ? rules : JSON.stringify(rules),
    start: table.start,
    moves: table.moves,
    south: table.South,
    north: table.North,
    simulations: String(table.simulations),
  });
  if (table.at < table.moves.length) words.set("at", String(table.at));
  if (table.turned) words.set("turned", "");
  if (table.analysis) words.set("analysis", "");
  return `#${words}`;
}

export function useTable(info: Info): [Table, Change] {
  const [table, setTable] = useState(() => parseTable(location.hash, info));
  useEffect(() => {
    const read = () => setTable(parseTable(location.hash, info));
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, [info]);
  useEffect(() => history.replaceState(null, "", formatTable(table)), [table]);
  return [table, (change) => setTable((old) => ({ ...old, ...change }))];
}
