import { axes, placeOf } from "./axes";
import type { Run } from "./data";
import { Figure } from "./Figure";
import { useView } from "./view";

interface RecordedFigureProps {
  name: string;
  title: string;
  unit: string;
  note: string;
}

// What the recorded games say over the iterations; nothing, where they say nothing.
export function RecordedFigure({ name, title, unit, note }: RecordedFigureProps) {
  const { runs, axis } = useView();
  const rows = (run: Run) => run.data?.iterations ?? [];
  if (!runs.some((run) => rows(run).some((row) => typeof row[name] === "number"))) return null;
  return (
    <Figure
      title={title}
      note={note}
      build={() => ({
        kind: "lines",
        metrics: [{ key: name, label: title }],
        xKey: axes[axis].column,
        xLabel: axes[axis].label,
        yLabel: unit,
        fromZero: true,
        data: runs.flatMap((run, i) =>
          rows(run).length > 0
            ? [
                {
                  run: i,
                  x: rows(run).map(({ iteration }) => placeOf(run, iteration, axis)),
                  columns: [{ y: rows(run).map((row) => row[name] ?? null) }],
                },
              ]
            : [],
        ),
      })}
    />
  );
}
