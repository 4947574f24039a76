// What `awale report` writes into the page.
import type { Game } from "../game";

// Equal lengths; a key is a number's place in metrics.jsonl, with / between the levels. null: none.
export type Series = Record<string, (number | null)[]>;

export interface Match {
  opponent: string;
  games: number;
  points_percent: number;
  points_percent_low: number;
  points_percent_high: number;
  elo: number;
  elo_low: number;
  elo_high: number;
}

export interface Truth {
  positions: number;
  at_stake: number;
  network_lost: number;
  [key: string]: number;
}

export interface Grade {
  iteration: number;
  total_games: number;
  run_seconds: number;
  matches?: Match[];
  truth?: Truth;
  alarms?: string[];
}

export interface Alarm {
  iteration: number;
  names: string[];
}

export interface MatchReport extends Match {
  distinct_games: number;
  wins: number;
  draws: number;
  losses: number;
  mean_margin_seeds: number;
  mean_plies: number;
  endings: Record<string, number>;
  first_ms_per_move: number;
  second_ms_per_move: number;
}

// evaluation.json: "untrained" and "trained" against an opponent.
export interface Evaluation {
  opponent: string;
  untrained?: MatchReport;
  trained?: MatchReport;
}

export interface Quantiles {
  mean: number;
  min: number;
  p5: number;
  p25: number;
  median: number;
  p75: number;
  p95: number;
  max: number;
}

export interface Bin {
  low: number;
  high: number;
  n: number;
  mean_value: number;
  mean_outcome: number;
}

export interface Calibration {
  n: number;
  mean_squared_error: number;
  calibration_error: number;
  bins: Bin[];
}

// `awale data stats --json`.
export interface DataStatistics {
  games: number;
  distinct_games: number;
  plies: number;
  plies_a_game?: Quantiles;
  first_player?: {
    points_percent: number;
    points_percent_low: number;
    points_percent_high: number;
  };
  draws_percent?: number;
  margin_of_the_winner?: Quantiles;
  openings?: {
    plies: number;
    games: number;
    distinct: number;
    entropy_bits: number;
    most_frequent: string;
    most_frequent_percent: number;
  };
  policy_entropy?: Quantiles;
  surprise?: Quantiles;
  best_move_unchanged_percent?: number;
  root_value?: Calibration;
  network_value?: Calibration;
  iterations?: ({ iteration: number } & Record<string, number>)[];
}

export interface Run {
  name: string;
  path: string;
  config: string; // TOML
  complete: boolean;
  iterations: number;
  merged: number; // so many iterations are averaged in a point of `series`; 1: none
  series: Series;
  alarms: Alarm[]; // where they begin
  grades: Grade[];
  evaluation: Evaluation[] | null;
  summary: Record<string, unknown> | null;
  data: DataStatistics | null;
}

// Of the mover.
export interface Search {
  visits: (number | null)[]; // 6, null: illegal
  priors: (number | null)[];
  value: number;
  margin_seeds: number;
}

// Bounds of the mover's final margin under best play, before his move and after it.
export interface OracleWord {
  before: [number, number];
  after: [number, number];
  lost: boolean; // a better outcome was certain before
}

export interface LoggedGame {
  title: string;
  game: Game;
  tags: Record<string, string>;
  searches: (Search | null)[]; // a ply each
  oracle: (OracleWord | null)[]; // a ply each
}

export interface ReportData {
  version: string;
  git_revision: string;
  created: string;
  runs: Run[];
  games: LoggedGame[];
}

const nothing: ReportData = { version: "", git_revision: "", created: "", runs: [], games: [] };

export function readData(): ReportData {
  const text = document.getElementById("awale-data")?.textContent;
  return (text && (JSON.parse(text) as ReportData | null)) || nothing;
}
