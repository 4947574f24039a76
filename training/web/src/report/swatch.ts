// How a legend shows one of its entries, and the list of them.
import { dot, plot, ruleY } from "@observablehq/plot";
import { styleOf, type Chart, type Kind, type Shown, type Style } from "./chart";

export interface Entry {
  label: string;
  style: Style;
  mark: "line" | "line with symbol" | "area" | "outline";
}

const runStyle = (run: number): Style => ({ ...styleOf(true, run, 0), dash: undefined });

export const runEntry = (label: string, run: number): Entry => ({
  label,
  style: runStyle(run),
  mark: "line with symbol",
});

export function metricEntry(chart: Chart, severalRuns: boolean, metric: number): Entry {
  const filled = chart.kind === "shares" || chart.kind === "bars";
  const style = styleOf(false, 0, metric);
  const own = severalRuns && !filled ? { ...style, colour: "currentColor" } : style;
  const label = chart.metrics[metric]?.label ?? "";
  return { label, style: own, mark: markOf(chart.kind, severalRuns, metric) };
}

function markOf(kind: Kind, severalRuns: boolean, metric: number): Entry["mark"] {
  if (kind === "bars" && metric === 0) return "outline";
  if (kind === "shares" || kind === "bars") return "area";
  return kind === "lines" || severalRuns ? "line" : "line with symbol";
}

// What a drawing of its own needs: its runs and metrics, where there is more than one.
export function entriesOf(chart: Chart, shown: Shown): Entry[] {
  const several = shown.runs.length > 1;
  const runs = several && chart.kind !== "shares" ? chart.data.map(({ run }) => run) : [];
  const metrics = chart.metrics
    .map((_, metric) => metric)
    .filter((metric) => shown.metrics[metric]);
  return [
    ...runs.map((run) => runEntry(shown.runs[run] ?? "", run)),
    ...(chart.metrics.length > 1
      ? metrics.map((metric) => metricEntry(chart, several, metric))
      : []),
  ];
}

export function swatch({ style, mark }: Entry): SVGSVGElement {
  const { colour, dash, symbol } = style;
  const box = { symbol: "square" as const, r: 5.5 };
  const marks = {
    line: [ruleY([0], { stroke: colour, strokeDasharray: dash, strokeWidth: 2 })],
    "line with symbol": [
      ruleY([0], { stroke: colour, strokeDasharray: dash, strokeWidth: 2 }),
      dot([0], { x: 0, y: 0, fill: colour, symbol, r: 4 }),
    ],
    area: [dot([0], { ...box, x: 0, y: 0, fill: colour })],
    outline: [dot([0], { ...box, x: 0, y: 0, stroke: colour, strokeWidth: 2 })],
  };
  return plot({
    width: 30,
    height: 14,
    margin: 0,
    axis: null,
    x: { domain: [-1, 1] },
    y: { domain: [-1, 1] },
    style: { background: "none", overflow: "visible" },
    marks: marks[mark],
  }) as SVGSVGElement;
}
