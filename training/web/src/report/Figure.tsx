import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Chart, Shown } from "./chart";
import { canBeLog, draw } from "./draw";
import { DataTable } from "./DataTable";
import { download, fileName, svgOf } from "./save";
import { metricEntry, swatch, type Entry } from "./swatch";
import { csvOf, tableOf } from "./table";
import { useBox } from "./useBox";
import { useView } from "./view";

interface FigureProps {
  title: string;
  note?: string;
  build: () => Chart; // called when the figure comes into view
  height?: number;
  eager?: boolean; // drawn wherever it is
  wide?: boolean;
}

export function Figure({ title, note, build, height = 230, eager, wide }: FigureProps) {
  const view = useView();
  const { box, width } = useBox<HTMLElement>(eager);
  const [hidden, setHidden] = useState<string[]>([]);
  const [log, setLog] = useState(false);
  const chart = width > 0 ? build() : null;
  const visible = chart && {
    ...chart,
    data: chart.data.filter(({ run }) => !view.hidden.has(run)),
  };
  const shown: Shown = {
    runs: view.runs.map(({ name }) => name),
    metrics: chart?.metrics.map(({ key }) => !hidden.includes(key)) ?? [],
    smoothing: view.smoothing,
    log: false,
  };
  const loggable = visible !== null && canBeLog(visible, shown);
  shown.log = log && loggable;

  return (
    <figure class={wide ? "figure wide" : "figure"} ref={box}>
      <figcaption>
        <h3>{title}</h3>
      </figcaption>
      {visible && visible.metrics.length > 1 && (
        <Legend
          entries={visible.metrics.map((_, i) => metricEntry(visible, view.runs.length > 1, i))}
          pressed={shown.metrics}
          onToggle={(i) => {
            const key = visible.metrics[i]?.key ?? "";
            setHidden(
              hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key],
            );
          }}
        />
      )}
      <div class="drawing" style={{ minHeight: `${height}px` }}>
        {visible && (
          <Drawing
            title={title}
            svg={(pointed) =>
              draw(visible, shown, { width: Math.max(240, width - 24), height, pointed })
            }
          />
        )}
      </div>
      {note && <p class="remark">{note}</p>}
      {visible && (
        <div class="tools">
          <div class="buttons">
            {loggable && (
              <button
                type="button"
                aria-pressed={log}
                aria-label={`log scale: ${title}`}
                onClick={() => setLog(!log)}
              >
                log
              </button>
            )}
            <button
              type="button"
              aria-label={`Save as CSV: ${title}`}
              onClick={() =>
                download(fileName(title, "csv"), "text/csv", csvOf(tableOf(visible, shown)))
              }
            >
              CSV
            </button>
            <button
              type="button"
              aria-label={`Save as SVG: ${title}`}
              onClick={() =>
                download(fileName(title, "svg"), "image/svg+xml", svgOf(visible, shown, height))
              }
            >
              SVG
            </button>
          </div>
          <DataTable title={title} rows={() => tableOf(visible, shown)} />
        </div>
      )}
    </figure>
  );
}

interface DrawingProps {
  title: string;
  svg: (pointed: boolean) => SVGSVGElement;
}

function Drawing({ title, svg }: DrawingProps) {
  const host = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState(false);
  useLayoutEffect(() => host.current?.replaceChildren(svg(pointed)));
  return (
    <div
      ref={host}
      role="img"
      aria-label={`${title}; its numbers are in the table below`}
      onPointerEnter={() => setPointed(true)}
    />
  );
}

interface LegendProps {
  entries: Entry[];
  pressed: boolean[];
  onToggle: (index: number) => void;
}

export function Legend({ entries, pressed, onToggle }: LegendProps) {
  return (
    <div class="legend">
      {entries.map((entry, i) => (
        <button key={i} type="button" aria-pressed={pressed[i]} onClick={() => onToggle(i)}>
          <Swatch entry={entry} />
          {entry.label}
        </button>
      ))}
    </div>
  );
}

function Swatch({ entry }: { entry: Entry }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(swatch(entry)));
  return <span ref={host} class="swatch" aria-hidden="true" />;
}
