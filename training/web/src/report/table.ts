// What a chart shows as rows, the first of them the head.
import type { Chart, Column, Metric, Shown } from "./chart";
import { smoothed } from "./numbers";

export type Cell = string | number | null;
export type Table = Cell[][];

interface Listed {
  head: string;
  of: (column: Column) => (number | null)[] | undefined;
}

function listed(metric: Metric, chart: Chart, shown: Shown): Listed[] {
  const { key, lowKey = `${key}_low`, highKey = `${key}_high` } = metric;
  const all: Listed[] = [
    { head: key, of: (column) => column.y },
    { head: lowKey, of: (column) => column.low },
    { head: highKey, of: (column) => column.high },
    { head: `${key}_n`, of: (column) => column.n },
  ];
  if ((chart.kind === "lines" || chart.kind === "shares") && shown.smoothing > 1) {
    all.push({
      head: `${key}_mean_of_${shown.smoothing}`,
      of: (column) => smoothed(column.y, shown.smoothing),
    });
  }
  return all;
}

export function tableOf(chart: Chart, shown: Shown): Table {
  const several = shown.runs.length > 1;
  const noted = chart.data.some(({ notes }) => notes?.some((note) => note !== null));
  const metrics = chart.metrics
    .map((metric, index) => ({ index, list: listed(metric, chart, shown) }))
    .filter(({ index }) => shown.metrics[index])
    .flatMap(({ index, list }) => list.map((entry) => ({ index, ...entry })))
    .filter(({ index, of }) =>
      chart.data.some(({ columns }) => columns[index] && of(columns[index])),
    );

  const head: Cell[] = [
    ...(several ? ["run"] : []),
    chart.xKey,
    ...metrics.map((metric) => metric.head),
    ...(noted ? ["note"] : []),
  ];
  const rows = chart.data.flatMap(({ run, x, names, columns, notes }) => {
    const cells = metrics.map(({ index, of }) => {
      const column = columns[index];
      return (column && of(column)) || [];
    });
    return x.map((at, i): Cell[] => [
      ...(several ? [shown.runs[run] ?? ""] : []),
      names ? (names[i] ?? "") : at,
      ...cells.map((values) => values[i] ?? null),
      ...(noted ? [notes?.[i] ?? null] : []),
    ]);
  });
  return [head, ...rows];
}

function csvCell(cell: Cell): string {
  const text = cell === null || Number.isNaN(cell) ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (table: Table) =>
  table.map((row) => row.map(csvCell).join(",") + "\n").join("");
