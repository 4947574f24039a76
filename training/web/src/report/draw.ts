// Charts drawn by Observable Plot.
import {
  areaY,
  axisFx,
  axisX,
  axisY,
  barY,
  dot,
  frame,
  gridY,
  lineY,
  link,
  plot,
  pointer,
  ruleX,
  ruleY,
  stackY,
  text,
  tip,
  type Markish,
} from "@observablehq/plot";
import { styleOf, type Chart, type Column, type RunColumns, type Shown, type Style } from "./chart";
import { significant, smoothed } from "./numbers";

interface Curve {
  label: string;
  style: Style;
  data: RunColumns;
  column: Column;
}

export interface Size {
  width: number;
  height: number;
  pointed?: boolean; // say what is under the pointer
}

const grid = "var(--line)";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

function curvesOf(chart: Chart, shown: Shown): Curve[] {
  const several = shown.runs.length > 1;
  return chart.data.flatMap((data) =>
    chart.metrics.flatMap(({ label }, metric) => {
      const column = data.columns[metric];
      if (!column || !shown.metrics[metric]) return [];
      const names = [several && shown.runs[data.run], chart.metrics.length > 1 && label];
      return {
        label: names.filter(Boolean).join(", "),
        style: styleOf(several, data.run, metric),
        data,
        column,
      };
    }),
  );
}

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && !Number.isNaN(value);

// A point between two gaps is on no line.
const isAlone = (y: (number | null)[], i: number) =>
  isNumber(y[i]) && !isNumber(y[i - 1]) && !isNumber(y[i + 1]);

function line({ data, column, style }: Curve, smoothing: number): Markish[] {
  const { colour, dash } = style;
  const channels = { x: data.x, y: column.y, stroke: colour };
  if (smoothing === 1) {
    return [lineY(data.x, { ...channels, strokeDasharray: dash, strokeWidth: 1.4 })];
  }
  const mean = smoothed(column.y, smoothing);
  return [
    lineY(data.x, { ...channels, y: mean, strokeDasharray: dash, strokeWidth: 2 }),
    lineY(data.x, { ...channels, strokeOpacity: 0.25, strokeWidth: 1 }),
  ];
}

// A few symbols along a line, at other places on each, name its run.
function symbols({ data, column, style }: Curve, runs: number): Markish {
  const count = data.x.length;
  const step = Math.max(1, Math.floor(count / 6));
  const first = Math.floor((step * (data.run + 0.5)) / runs);
  const chosen = data.x.map(
    (_, i) => isAlone(column.y, i) || (runs > 1 && i % step === first % step),
  );
  return dot(data.x, {
    x: data.x,
    y: column.y,
    filter: chosen,
    symbol: style.symbol,
    fill: style.colour,
    r: 3.2,
  });
}

function band({ data, column, style }: Curve): Markish[] {
  const { low, high } = column;
  if (!low || !high) return [];
  return [areaY(data.x, { x: data.x, y1: low, y2: high, fill: style.colour, fillOpacity: 0.13 })];
}

function interval({ data, column, style }: Curve, least: number): Markish[] {
  const { low, high } = column;
  if (!low || !high) return [];
  const y1 = low.map((value) => (isNumber(value) ? Math.max(value, least) : null));
  return [ruleX(data.x, { x: data.x, y1, y2: high, stroke: style.colour, strokeOpacity: 0.55 })];
}

function dots({ data, column, style }: Curve, sized: boolean): Markish {
  const r = sized && column.n ? column.n : 3.5;
  const channels = { x: data.x, y: column.y, r };
  return dot(data.x, { ...channels, symbol: style.symbol, fill: style.colour });
}

function noted({ data, column }: Curve): Markish[] {
  const { notes } = data;
  if (!notes) return [];
  const filter = notes.map((note) => note !== null);
  const place = { x: data.x, y: column.y, filter, title: notes };
  return [dot(data.x, { ...place, symbol: "times", stroke: "var(--bad)", strokeWidth: 2.5, r: 5 })];
}

// Costly, because every point's text is made at once.
function hint(chart: Chart, curves: Curve[], smoothing: number): Markish | null {
  if (chart.kind === "shares" || chart.kind === "bars") return null;
  const points = curves.flatMap(({ label, data, column }) => {
    const shown = chart.kind === "lines" ? smoothed(column.y, smoothing) : column.y;
    return data.x.flatMap((x, i) => {
      const y = shown[i];
      return isNumber(x + (y ?? NaN)) ? [{ x, y, label, column, i }] : [];
    });
  });
  const number = (value?: number | null) => (isNumber(value) ? significant(value) : "–");
  return tip(
    points,
    pointer({
      x: "x",
      y: "y",
      fill: "var(--card)",
      stroke: "var(--muted)",
      textPadding: 6,
      title: ({ x, y, label, column, i }: (typeof points)[number]) => {
        const { low, high, n } = column;
        const lines = [
          label,
          `${chart.xLabel}: ${significant(x, 4)}`,
          `${chart.yLabel}: ${number(y)}`,
          low && high && `from ${number(low[i])} to ${number(high[i])}`,
          n && `${number(n[i])} cases`,
        ];
        return lines.filter(Boolean).join("\n");
      },
    }),
  );
}

// Stacked from the bottom, a panel a run.
function shares(chart: Chart, shown: Shown): Markish[] {
  const rows = chart.data.flatMap(({ run, x, columns }) =>
    chart.metrics.flatMap((_, metric) => {
      const column = columns[metric];
      if (!column || !shown.metrics[metric]) return [];
      const { colour } = styleOf(false, 0, metric);
      return smoothed(column.y, shown.smoothing).map((y, i) => ({ run, x: x[i], y, colour }));
    }),
  );
  const channels = { x: "x", y: "y", fy: shown.runs.length > 1 ? "run" : undefined };
  const single = chart.data.every(({ x }) => x.length < 2);
  return single
    ? [barY(rows, stackY({ ...channels, fill: "colour" }))]
    : [areaY(rows, stackY({ ...channels, fill: "colour", fillOpacity: 0.85 }))];
}

// A group a point, a bar a metric.
function bars(chart: Chart, shown: Shown): Markish[] {
  const rows = chart.data.flatMap(({ x, names, columns }) =>
    chart.metrics.flatMap(({ label }, metric) =>
      shown.metrics[metric]
        ? x.map((at, i) => {
            const y = columns[metric]?.y[i];
            const { colour } = styleOf(false, 0, metric);
            const fill = metric === 0 ? "none" : colour;
            const shown = isNumber(y) ? significant(y, 2) : "";
            return { group: names?.[i] ?? String(at), label, y: y ?? 0, colour, fill, shown };
          })
        : [],
    ),
  );
  return [
    axisFx({ anchor: "bottom", label: chart.xLabel, labelAnchor: "center", labelArrow: "none" }),
    barY(rows, {
      fx: "group",
      x: "label",
      y: "y",
      fill: "fill",
      stroke: "colour",
      strokeWidth: 1.5,
      insetLeft: 1,
      insetRight: 1,
    }),
    text(rows, { fx: "group", x: "label", y: "y", text: "shown", dy: -7, fontSize: 10 }),
    ruleY([0]),
  ];
}

function marksOf(chart: Chart, shown: Shown, curves: Curve[], least: number): Markish[] {
  switch (chart.kind) {
    case "shares":
      return shares(chart, shown);
    case "bars":
      return bars(chart, shown);
    case "lines":
      return [
        ...curves.flatMap(band),
        ...curves.flatMap((curve) => line(curve, shown.smoothing)).reverse(),
        ...curves.map((curve) => symbols(curve, shown.runs.length)),
        ...curves.flatMap(noted),
      ];
    case "calibration":
      return [
        link([null], {
          x1: -1,
          y1: -1,
          x2: 1,
          y2: 1,
          stroke: "var(--muted)",
          strokeDasharray: "2 4",
        }),
        ...curves.flatMap((curve) => line(curve, 1)),
        ...curves.map((curve) => dots(curve, true)),
      ];
    case "estimates":
      return [
        ...curves.flatMap((curve) => interval(curve, least)),
        ...curves.flatMap((curve) => line(curve, 1)),
        ...curves.map((curve) => dots(curve, false)),
      ];
  }
}

const valuesOf = (curves: Curve[]) =>
  curves
    .flatMap(({ column: { y, low = [], high = [] } }) => [...y, ...low, ...high])
    .filter(isNumber);

const leastOf = (curves: Curve[]) =>
  Math.min(...curves.flatMap(({ column }) => column.y).filter(isNumber));

// What never changes lies in the middle.
function around(values: number[]): [number, number] | undefined {
  const [first] = values;
  if (first === undefined || values.some((value) => value !== first)) return undefined;
  const half = Math.abs(first) / 2 || 1;
  return [first - half, first + half];
}

// Whether a logarithmic scale could show all of it.
export const canBeLog = (chart: Chart, shown: Shown) =>
  chart.log === true &&
  curvesOf(chart, shown).every(({ column }) => column.y.every((y) => !isNumber(y) || y > 0));

export function draw(chart: Chart, shown: Shown, { width, height, pointed }: Size): SVGSVGElement {
  const curves = curvesOf(chart, shown);
  const values = valuesOf(curves);
  const least = shown.log ? leastOf(curves) / 2 : -Infinity;
  const large = values.some((value) => Math.abs(value) >= 10000);
  const panels = chart.kind === "shares" && shown.runs.length > 1 ? chart.data.length : 1;
  const isBars = chart.kind === "bars";
  const { reference, alarms = [], cursor } = chart;

  const svg = plot({
    width,
    height: height + (panels - 1) * 60,
    marginLeft: 48,
    marginRight: panels > 1 ? 80 : 14,
    marginTop: 28,
    marginBottom: 36,
    style: { background: "none", fontSize: "11.5px", overflow: "visible", maxWidth: "100%" },
    x: isBars
      ? { axis: null, padding: 0 }
      : { domain: chart.kind === "calibration" ? [-1, 1] : undefined },
    y: {
      type: shown.log ? "log" : "linear",
      domain: chart.yDomain ?? around(values),
      nice: !chart.yDomain,
      zero: chart.fromZero && !shown.log,
    },
    fx: isBars ? { domain: chart.data.flatMap(({ x, names }) => names ?? x.map(String)) } : {},
    fy: { label: null, padding: 0.25, tickFormat: (run: number) => shown.runs[run] ?? "" },
    r: { range: [2, 6] },
    marks: [
      panels > 1 ? frame({ stroke: grid }) : gridY({ stroke: grid, strokeOpacity: 1, ticks: 5 }),
      axisY({
        label: chart.yLabel,
        ticks: panels > 1 ? 3 : 5,
        tickFormat: large ? (value: number) => compact.format(value) : undefined,
        labelArrow: "none",
        tickSize: 0,
      }),
      isBars
        ? null
        : axisX({
            label: chart.xLabel,
            ticks: Math.max(3, Math.min(8, Math.floor(width / 80))),
            tickFormat: chart.xKey === "total_games" ? (x: number) => compact.format(x) : undefined,
            labelAnchor: "center",
            labelArrow: "none",
          }),
      chart.kind === "shares"
        ? null
        : ruleY(typeof reference === "number" ? [reference] : [], {
            stroke: "var(--muted)",
            strokeDasharray: "2 4",
          }),
      ...marksOf(chart, shown, curves, least),
      ruleX(alarms, { x: "x", stroke: "var(--bad)", strokeDasharray: "1 3" }),
      text(alarms, {
        x: "x",
        frameAnchor: "top",
        dy: -12,
        text: () => "!",
        title: "names",
        fill: "var(--bad)",
        fontWeight: "bold",
        fontSize: 14,
      }),
      pointed ? hint(chart, curves, shown.smoothing) : null,
      ruleX(typeof cursor === "number" ? [cursor] : [], {
        stroke: "currentColor",
        strokeWidth: 1.5,
      }),
    ],
  }) as SVGSVGElement;
  // Names of the kinds of marks say nothing to readers.
  for (const group of svg.querySelectorAll("[aria-label]")) group.removeAttribute("aria-label");
  return svg;
}
