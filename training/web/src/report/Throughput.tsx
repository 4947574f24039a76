import { has } from "./axes";
import type { Run } from "./data";
import { Section } from "./Section";
import { SeriesFigure } from "./SeriesFigure";
import { useView } from "./view";

const percent = (key: string) => (run: Run) =>
  has(run, key)
    ? { y: (run.series[key] ?? []).map((value) => (value === null ? null : 100 * value)) }
    : null;

const learnerShare = (run: Run) => {
  const seconds = run.series.seconds;
  if (!has(run, "learner_seconds") || !seconds) return null;
  return {
    y: (run.series.learner_seconds ?? []).map((value, i) => {
      const of = seconds[i];
      return value !== null && of ? (100 * value) / of : null;
    }),
  };
};

export function Throughput() {
  const { runs } = useView();
  return (
    <Section
      id="throughput"
      title="Throughput"
      missing={
        !runs.some((run) => has(run, "simulations_per_second") || has(run, "games_per_second")) &&
        "These runs have no numbers of their speed."
      }
    >
      <div class="figures">
        <SeriesFigure
          title="Simulations"
          unit="simulations a second"
          fromZero
          metrics={[{ key: "simulations_per_second", label: "simulations" }]}
        />
        <SeriesFigure
          title="Games a second"
          unit="games a second"
          fromZero
          metrics={[{ key: "games_per_second", label: "games" }]}
        />
        <SeriesFigure
          title="Where the time goes"
          unit="%"
          fromZero
          metrics={[
            { key: "busy_share_percent", label: "threads busy", of: percent("busy_share") },
            {
              key: "network_share_percent",
              label: "network, of self-play's computing",
              of: percent("network_share"),
            },
            {
              key: "learner_share_percent",
              label: "learner, of the iteration",
              of: learnerShare,
            },
          ]}
          note={
            "What is played ahead for the next iteration counts where it is done, so that " +
            "threads may be busy for more than 100 % of a single one."
          }
        />
      </div>
    </Section>
  );
}
