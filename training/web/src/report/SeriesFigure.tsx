import { Figure } from "./Figure";
import { ofSeries, seriesChart, type SeriesMetric } from "./sources";
import { useView } from "./view";

interface SeriesFigureProps {
  title: string;
  unit: string;
  metrics: SeriesMetric[];
  domain?: [number, number];
  fromZero?: boolean;
  log?: boolean;
  reference?: number;
  kind?: "lines" | "shares";
  alarms?: boolean;
  note?: string;
}

// Nothing, where no run has any of the metrics.
export function SeriesFigure(props: SeriesFigureProps) {
  const { title, unit, domain, fromZero, log, reference, kind, alarms, note } = props;
  const view = useView();
  const metrics = props.metrics.filter((metric) => view.runs.some((run) => ofSeries(run, metric)));
  if (metrics.length === 0) return null;
  const look = { yLabel: unit, yDomain: domain, fromZero, log, reference, kind, alarms };
  const wide = kind === "shares" && view.runs.length > 2; // a panel each
  return (
    <Figure title={title} note={note} wide={wide} build={() => seriesChart(view, metrics, look)} />
  );
}
