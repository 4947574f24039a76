import { differences } from "./config";
import type { Grade, Run } from "./data";
import { Facts, type Fact } from "./Facts";
import { eloText, fixed, significant, whole, withInterval } from "./numbers";
import { RunTable } from "./RunTable";
import { Section } from "./Section";
import { eloOf, lostOf, opponentsOf, pointsOf, truthKeysOf, truthLabel } from "./Strength";
import { useView } from "./view";

function last(run: Run, key: string, summaryKey?: string): number | null {
  const told = summaryKey && run.summary?.[summaryKey];
  if (typeof told === "number") return told;
  return run.series[key]?.findLast((value) => value !== null) ?? null;
}

const lastGrade = (run: Run, holds: (grade: Grade) => boolean) => run.grades.findLast(holds);

const count = (value: number | null) => (value === null ? null : whole(value));

const minutes = (seconds: number | null) =>
  seconds === null ? null : seconds < 600 ? significant(seconds / 60, 2) : fixed(seconds / 60, 0);

function Dated({ text, iteration }: { text: string; iteration: number }) {
  return (
    <>
      {text} <small>iteration {whole(iteration)}</small>
    </>
  );
}

const alarmsOf = (run: Run) =>
  [
    ...run.alarms,
    ...run.grades.map(({ iteration, alarms }) => ({ iteration, names: alarms ?? [] })),
  ]
    .flatMap(({ iteration, names }) => names.map((name) => ({ iteration, name })))
    .sort((a, b) => a.iteration - b.iteration);

function factsOf(runs: Run[]): Fact[] {
  const of = (look: (run: Run) => ReturnType<Fact["of"]>) => (index: number) => {
    const run = runs[index];
    return run ? look(run) : null;
  };
  return [
    { label: "state", of: of((run) => (run.complete ? "complete" : "not complete")) },
    { label: "iterations", of: of((run) => whole(run.iterations)) },
    { label: "games", of: of((run) => count(last(run, "total_games", "games"))) },
    { label: "minutes", of: of((run) => minutes(last(run, "run_seconds", "seconds"))) },
    {
      label: "core-minutes",
      of: of((run) => minutes(last(run, "run_core_seconds", "core_seconds"))),
    },
    { label: "rows", of: of((run) => count(last(run, "total_rows", "rows"))) },
    { label: "learner's steps", of: of((run) => count(last(run, "total_steps", "learner_steps"))) },
    ...opponentsOf(runs).flatMap((opponent): Fact[] => {
      const found = (run: Run) => {
        const holds = ({ matches }: Grade) => matches?.find((m) => m.opponent === opponent);
        const grade = lastGrade(run, (other) => holds(other) !== undefined);
        const match = grade && holds(grade);
        return grade && match ? { iteration: grade.iteration, match } : null;
      };
      return [
        {
          label: `points against ${opponent}`,
          of: of((run) => {
            const grade = found(run);
            if (!grade) return null;
            const text = withInterval(pointsOf(grade.match), " %");
            return <Dated text={text} iteration={grade.iteration} />;
          }),
        },
        {
          label: `Elo against ${opponent}`,
          of: of((run) => {
            const grade = found(run);
            return grade && eloText(eloOf(grade.match));
          }),
        },
      ];
    }),
    ...truthKeysOf(runs)
      .filter((key) => key.endsWith("_lost"))
      .map((key): Fact => ({
        label: `results lost by the ${truthLabel(key)}`,
        of: of((run) => {
          const grade = lastGrade(run, (other) => lostOf(other, key) !== undefined);
          const estimate = grade && lostOf(grade, key);
          if (!grade || !estimate) return null;
          return <Dated text={withInterval(estimate, " %")} iteration={grade.iteration} />;
        }),
      })),
    {
      label: "alarms",
      of: of((run) => {
        const alarms = alarmsOf(run);
        return alarms.length > 0 ? <strong class="lost">{alarms.length}</strong> : "none";
      }),
    },
  ];
}

const alarmTexts: Record<string, string> = {
  policy_entropy: "the policy targets' entropy fell suddenly or is near 0",
  value_spread: "the network's values hardly differ",
};

const meaning = (name: string) =>
  alarmTexts[name] ??
  (name.endsWith("_lost") ? "more results lost than in the best grade before" : "");

function Alarms({ runs }: { runs: Run[] }) {
  const alarms = runs.flatMap((run) => alarmsOf(run).map((alarm) => ({ ...alarm, run: run.name })));
  if (alarms.length === 0) return null;
  return (
    <details class="alarms" open={alarms.length <= 6}>
      <summary>{alarms.length === 1 ? "1 alarm" : `${alarms.length} alarms`}</summary>
      <ul>
        {alarms.map(({ run, iteration, name }, i) => (
          <li key={i}>
            {runs.length > 1 && `${run}, `}iteration {whole(iteration)}: <strong>{name}</strong>
            {meaning(name) && `, ${meaning(name)}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Differences({ runs }: { runs: Run[] }) {
  const rows = differences(runs.map(({ config }) => config));
  if (rows.length === 0) return <p class="remark">All runs have the same config.</p>;
  return (
    <details class="differences" open={rows.length <= 12}>
      <summary>
        {rows.length === 1 ? "1 setting differs" : `${rows.length} settings differ`}
      </summary>
      <RunTable
        caption="Where the configs differ"
        rows={rows.map(({ key, values }) => ({ label: key, values }))}
      />
    </details>
  );
}

export function Summary() {
  const { runs } = useView();
  const merged = runs.filter((run) => run.merged > 1);
  return (
    <Section id="summary" title={runs.length > 1 ? "Runs" : `Run ${runs[0]?.name ?? ""}`}>
      <div class={runs.length > 1 ? "pair" : undefined}>
        <Facts caption="Key numbers of the runs" facts={factsOf(runs)} />
        {runs.length > 1 && <Differences runs={runs} />}
      </div>
      {merged.map((run) => (
        <p key={run.name} class="remark">
          {run.name}: each point of a curve is the mean of {run.merged} iterations.
        </p>
      ))}
      <Alarms runs={runs} />
      <div class="configs">
        {runs.map(({ name, config }, i) => (
          <details key={i}>
            <summary>Config of {name}</summary>
            <pre class="scroll tall" tabIndex={0} role="region" aria-label={`Config of ${name}`}>
              {config}
            </pre>
          </details>
        ))}
      </div>
    </Section>
  );
}
