import { useMemo, useState } from "preact/hooks";
import { axes, offered, type AxisName } from "./axes";
import { CalibrationSection } from "./CalibrationSection";
import type { ReportData, Run } from "./data";
import { Legend } from "./Figure";
import { FinalEvaluation } from "./FinalEvaluation";
import { Games } from "./Games";
import { GameViewer } from "./GameViewer";
import { Learning } from "./Learning";
import { Strength } from "./Strength";
import { Summary } from "./Summary";
import { runEntry } from "./swatch";
import { Throughput } from "./Throughput";
import { ViewContext, type View } from "./view";

const sections = [
  ["summary", "Summary"],
  ["strength", "Strength"],
  ["learning", "Learning"],
  ["games", "Games"],
  ["throughput", "Throughput"],
  ["calibration", "Calibration"],
  ["evaluation", "Evaluation"],
  ["viewer", "Games, move by move"],
] as const;

const smoothings = [1, 5, 15, 51];

interface ControlsProps {
  runs: Run[];
  view: View;
  onChange: (change: Partial<View>) => void;
}

function Controls({ runs, view, onChange }: ControlsProps) {
  const usable = offered(runs);
  return (
    <section class="controls" aria-label="Controls of all charts">
      <fieldset class="segments">
        <legend>x axis</legend>
        {usable.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="axis"
              value={name}
              checked={view.axis === name}
              onChange={() => onChange({ axis: name })}
            />
            <span>{axes[name].label}</span>
          </label>
        ))}
      </fieldset>
      <label class="smoothing">
        Smoothing
        <select
          value={view.smoothing}
          onChange={(event) => onChange({ smoothing: Number(event.currentTarget.value) })}
        >
          {smoothings.map((points) => (
            <option key={points} value={points}>
              {points === 1 ? "off" : `mean of ${points} points`}
            </option>
          ))}
        </select>
      </label>
      {runs.length > 1 && (
        <Legend
          entries={runs.map(({ name }, i) => runEntry(name, i))}
          pressed={runs.map((_, i) => !view.hidden.has(i))}
          onToggle={(i) => {
            const hidden = new Set(view.hidden);
            if (!hidden.delete(i)) hidden.add(i);
            onChange({ hidden });
          }}
        />
      )}
    </section>
  );
}

export function App({ data }: { data: ReportData }) {
  const { runs, games } = data;
  const [choice, setChoice] = useState<Omit<View, "runs">>(() => ({
    axis: offered(runs)[0] ?? ("iterations" satisfies AxisName),
    smoothing: 1,
    hidden: new Set(),
  }));
  const view = useMemo(() => ({ ...choice, runs }), [choice]);
  const present = sections.filter(([id]) => runs.length > 0 || id === "viewer");

  return (
    <ViewContext.Provider value={view}>
      <header>
        <h1>Awale: {runs.length > 0 ? "training report" : "games"}</h1>
        <p class="remark">
          awale {data.version} ({data.git_revision}), {data.created.replace("T", " ")}
        </p>
      </header>
      {runs.length > 0 && (
        <div class="bar">
          <nav aria-label="Sections">
            {present.map(([id, title]) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </nav>
          <Controls
            runs={runs}
            view={view}
            onChange={(change) => setChoice({ ...choice, ...change })}
          />
        </div>
      )}
      <main>
        {runs.length > 0 && (
          <>
            <Summary />
            <Strength />
            <Learning />
            <Games />
            <Throughput />
            <CalibrationSection />
            <FinalEvaluation />
          </>
        )}
        <GameViewer games={games} />
      </main>
    </ViewContext.Provider>
  );
}
