// Charts of a run's progress: from the series of its iterations and from its grades.
import { axes, axisValues, has, placeOf, placeOfGrade, type AxisName } from "./axes";
import type { Chart, Column, Metric } from "./chart";
import type { Grade, Run } from "./data";
import type { Estimate } from "./numbers";
import type { View } from "./view";

export interface SeriesMetric extends Metric {
  of?: (run: Run) => Column | null; // the series `key`, where it is not said
}

export interface GradeMetric extends Metric {
  of: (grade: Grade) => Estimate | number | undefined;
}

type Look = Pick<Chart, "yLabel" | "yDomain" | "fromZero" | "log" | "reference">;

const xAxis = (name: AxisName) => ({ xKey: axes[name].column, xLabel: axes[name].label });

const ofKey = (run: Run, key: string): Column | null =>
  has(run, key) ? { y: run.series[key] ?? [] } : null;

export const ofSeries = (run: Run, { key, of }: SeriesMetric) => of?.(run) ?? ofKey(run, key);

const alarmText = (run: Run, iteration: number, names: string[]) =>
  `${names.join(", ")}: alarm at iteration ${iteration} of ${run.name}`;

const alarmsOf = (runs: Run[], hidden: ReadonlySet<number>, axis: AxisName) =>
  runs.flatMap((run, i) =>
    hidden.has(i)
      ? []
      : run.alarms.map(({ iteration, names }) => ({
          x: placeOf(run, iteration, axis),
          names: alarmText(run, iteration, names),
        })),
  );

export function seriesChart(
  { runs, hidden, axis }: Pick<View, "runs" | "hidden" | "axis">,
  metrics: SeriesMetric[],
  look: Look & { kind?: Chart["kind"]; alarms?: boolean },
): Chart {
  const { kind = "lines", alarms = false, ...rest } = look;
  return {
    ...rest,
    ...xAxis(axis),
    kind,
    metrics,
    data: runs.flatMap((run, i) => {
      const columns = metrics.map((metric) => ofSeries(run, metric));
      return columns.some(Boolean) ? [{ run: i, x: axisValues(run, axis), columns }] : [];
    }),
    alarms: alarms ? alarmsOf(runs, hidden, axis) : [],
  };
}

function gradeColumn(run: Run, { of }: GradeMetric): Column | null {
  const values = run.grades.map(of);
  if (values.every((value) => value === undefined)) return null;
  const part = (name: keyof Estimate) =>
    values.map((value) => (typeof value === "object" ? value[name] : null));
  const y = values.map((value) => (typeof value === "object" ? value.value : (value ?? null)));
  return values.some((value) => typeof value === "object")
    ? { y, low: part("low"), high: part("high") }
    : { y };
}

export function gradeChart(
  { runs, hidden, axis }: Pick<View, "runs" | "hidden" | "axis">,
  metrics: GradeMetric[],
  look: Look,
): Chart {
  // An alarm has the name of what it watches.
  const watched = (name: string) => metrics.some(({ key }) => key.startsWith(name));
  return {
    ...look,
    ...xAxis(axis),
    kind: "estimates",
    metrics,
    data: runs.flatMap((run, i) => {
      const columns = metrics.map((metric) => gradeColumn(run, metric));
      const x = run.grades.map((grade) => placeOfGrade(run, grade, axis));
      return columns.some(Boolean) ? [{ run: i, x, columns }] : [];
    }),
    alarms: runs.flatMap((run, i) =>
      run.grades
        .map((grade) => ({ grade, names: (grade.alarms ?? []).filter(watched) }))
        .filter(({ names }) => names.length > 0 && !hidden.has(i))
        .map(({ grade, names }) => ({
          x: placeOfGrade(run, grade, axis),
          names: alarmText(run, grade.iteration, names),
        })),
    ),
  };
}
