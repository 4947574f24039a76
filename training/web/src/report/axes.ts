// What a run's progress can be counted in.
import type { Grade, Run } from "./data";

export type AxisName = "games" | "minutes" | "core_minutes" | "iterations";

interface Axis {
  label: string;
  column: string; // its head in a table
  key: string; // of the series
  unit: number; // of the series in one of the axis
  ofGrade?: (grade: Grade) => number | undefined; // in the series' unit
}

export const axes: Record<AxisName, Axis> = {
  games: {
    label: "games",
    column: "total_games",
    key: "total_games",
    unit: 1,
    ofGrade: (grade) => grade.total_games,
  },
  minutes: {
    label: "minutes",
    column: "minutes",
    key: "run_seconds",
    unit: 60,
    ofGrade: (grade) => grade.run_seconds,
  },
  core_minutes: {
    label: "core-minutes",
    column: "core_minutes",
    key: "run_core_seconds",
    unit: 60,
  },
  iterations: {
    label: "iterations",
    column: "iteration",
    key: "iteration",
    unit: 1,
    ofGrade: (grade) => grade.iteration,
  },
};

export const axisNames = Object.keys(axes) as AxisName[];

export const has = (run: Run, key: string) =>
  run.series[key]?.some((value) => value !== null) ?? false;

// A run that has no point yet is no reason to refuse an axis.
export const offered = (runs: Run[]) =>
  axisNames.filter((name) =>
    runs.every((run) => has(run, axes[name].key) || !has(run, "iteration")),
  );

export function axisValues(run: Run, name: AxisName): number[] {
  const { key, unit } = axes[name];
  return (run.series[key] ?? []).map((value) => (value === null ? NaN : value / unit));
}

// Where an iteration lies, between the points of the series; iteration 0 is at 0.
export function placeOf(run: Run, iteration: number, name: AxisName): number {
  if (name === "iterations") return iteration;
  const iterations = run.series.iteration ?? [];
  const values = axisValues(run, name);
  let [before, at] = [0, 0];
  for (let i = 0; i < iterations.length; i++) {
    const next = iterations[i];
    const value = values[i];
    if (typeof next !== "number" || value === undefined || Number.isNaN(value)) continue;
    if (next >= iteration) return at + ((value - at) * (iteration - before)) / (next - before || 1);
    [before, at] = [next, value];
  }
  return at;
}

export function placeOfGrade(run: Run, grade: Grade, name: AxisName): number {
  const own = axes[name].ofGrade?.(grade);
  return typeof own === "number" ? own / axes[name].unit : placeOf(run, grade.iteration, name);
}
