// A figure as data: the same columns are drawn, listed as a table and saved as CSV.
export interface Metric {
  key: string; // heads the column
  label: string; // stands in the legend
  lowKey?: string; // of what lies around it, where it is not key_low and key_high
  highKey?: string;
}

// Of a metric, a value a point.
export interface Column {
  y: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  n?: number[]; // how many cases y is the mean of
}

export interface RunColumns {
  run: number;
  x: number[];
  names?: string[]; // of the points, instead of x
  columns: (Column | null)[]; // a metric each; null: the run does not have it
  notes?: (string | null)[]; // marked in the drawing
}

export type Kind = "lines" | "estimates" | "shares" | "calibration" | "bars";

export interface Chart {
  kind: Kind;
  metrics: Metric[];
  data: RunColumns[];
  xKey: string;
  xLabel: string;
  yLabel: string;
  yDomain?: [number, number];
  fromZero?: boolean;
  log?: boolean; // a logarithmic scale makes sense
  reference?: number; // a line across
  alarms?: { x: number; names: string }[];
  cursor?: number;
}

export interface Shown {
  runs: string[]; // names of all
  metrics: boolean[];
  smoothing: number;
  log: boolean;
}

export interface Style {
  colour: string;
  dash: string | undefined;
  symbol: "circle" | "triangle" | "square" | "diamond" | "star" | "wye";
}

const colours = 6;
const dashes = [undefined, "7 3", "2 3", "9 3 2 3", "4 2", "12 3 2 3 2 3", "1 2", "5 5"];
const symbols = ["circle", "triangle", "square", "diamond", "star", "wye"] as const;

// Runs are told apart by colour and symbol, what is measured by the kind of line; where there is
// one run, what is measured has colours and symbols, too.
export function styleOf(severalRuns: boolean, run: number, metric: number): Style {
  const index = severalRuns ? run : metric;
  return {
    colour: `var(--series-${1 + (index % colours)})`,
    dash: dashes[metric % dashes.length],
    symbol: symbols[index % symbols.length] ?? "circle",
  };
}
