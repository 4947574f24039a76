// What the command `awale` says about games, as JSON. Whatever a move does comes from there: no
// rule of the game is written down on this side.

export type Side = "South" | "North";

// Holes: 0..5 are South's pits A..F, 6..11 North's a..f; seeds run counter-clockwise, 0, 1, ... 11.
export interface Board {
  pits: number[]; // 12
  stores: Record<Side, number>;
  to_move: Side;
  position: string; // notation, "4-4-...-0-0-S"
}

// What a move does, from the board before it.
export interface Ply {
  move: string; // letter, "F"
  hole: number; // that it empties
  path: number[]; // holes in which a seed is sown, in order (the origin is skipped)
  captures: { hole: number; seeds: number }[]; // in the order of capture, backwards from the last
  void_capture: boolean; // a grand slam that takes nothing
  text: string; // "last seed on d, takes 3"
  after: Board;
}

export interface IllegalMove {
  move: string;
  hole: number;
  reason: "empty_pit" | "must_feed" | "grand_slam";
  text: string;
}

export interface Ending {
  reason: "target" | "no_moves" | "repetition" | "ply_limit";
  winner: Side | null; // null: a draw
  final: Record<Side, number>; // seeds, may be x.5
  text: string; // why it ended, how the rest was counted
}

export interface Preset {
  name: string;
  rules: Record<string, string>; // every parameter as text
}

export interface Game {
  rules: string; // a preset's name, or "custom"
  parameters: Record<string, string>;
  start: Board;
  moves: string; // letters, "FfBe"
  plies: Ply[];
  board: Board; // now
  legal: Ply[]; // what each legal move would do; empty when over
  illegal: IllegalMove[]; // of the own pits; empty when over
  over: Ending | null;
}

// Of the player to move, as are all values, margins and distributions below.
export interface NetworkOpinion {
  win: number;
  draw: number;
  loss: number;
  margin_seeds: number;
  margin_quartiles: number[] | null;
  plies_left: number | null;
  margin_distribution: number[] | null; // 97: of -48..48 seeds
}

// What the exact endgame table says, where it covers the position.
export interface TableVerdict {
  table_low?: number;
  table_high?: number;
  table_verdict?: string;
}

export interface AnalysedMove extends TableVerdict {
  move: string;
  lands: string;
  takes: number;
  prior: number;
  visits: number;
  value: number | null;
  margin_seeds: number | null;
  certain_seeds: [number, number];
}

export interface Analysis extends TableVerdict {
  position: string;
  rules: string;
  to_move: Side;
  over: false;
  evaluator: string;
  simulations: number;
  value: number; // -1..1
  margin_seeds: number;
  solved: boolean;
  network: NetworkOpinion | null;
  table_certain?: boolean;
  best: string;
  line: string; // principal variation, letters
  moves: AnalysedMove[];
}
