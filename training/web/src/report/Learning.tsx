import { has } from "./axes";
import { Section } from "./Section";
import { SeriesFigure } from "./SeriesFigure";
import { useView } from "./view";

const losses: Record<string, { title: string; unit: string }> = {
  loss_policy: { title: "Policy loss", unit: "cross entropy, nats" },
  loss_wdl: { title: "Win, draw, loss: loss", unit: "cross entropy, nats" },
  loss_margin: { title: "Margin loss", unit: "Huber loss of margin / 24" },
  loss_margin_distribution: {
    title: "Margin distribution: loss",
    unit: "cross entropy, nats",
  },
  loss_plies_left: { title: "Plies left: loss", unit: "Huber loss of plies / 64" },
};

export function Learning() {
  const { runs } = useView();
  const found = [...new Set(runs.flatMap((run) => Object.keys(run.series)))]
    .map((key) => key.replace(/^validation\//, ""))
    .filter((key) => key.startsWith("loss_"));
  const keys = [...new Set([...Object.keys(losses), ...found])].filter((key) =>
    runs.some((run) => has(run, key) || has(run, `validation/${key}`)),
  );
  const alarmed = runs.some((run) => run.alarms.length > 0);
  return (
    <Section
      id="learning"
      title="Learning"
      lead={
        "Training losses are means over an iteration's steps, validation losses those of the " +
        "averaged weights on held-out games." +
        (alarmed ? " A dotted line under ! is where an alarm begins." : "")
      }
      missing={
        !keys.length &&
        !runs.some((run) => has(run, "policy_entropy")) &&
        "Nothing has been learnt yet."
      }
    >
      <div class="figures">
        {keys.map((key) => {
          const { title, unit } = losses[key] ?? { title: key, unit: "loss" };
          const policy = key === "loss_policy";
          return (
            <SeriesFigure
              key={key}
              title={title}
              unit={unit}
              log
              alarms
              metrics={[
                { key, label: "training" },
                { key: `validation/${key}`, label: "validation" },
                ...(policy ? [{ key: "policy_target_entropy", label: "target entropy" }] : []),
              ]}
              note={
                policy
                  ? "The entropy of the targets is what no policy can go below; " +
                    "the distance to it is left to learn."
                  : undefined
              }
            />
          );
        })}
        <SeriesFigure
          title="Policy entropy"
          unit="nats"
          fromZero
          log
          alarms
          metrics={[{ key: "policy_entropy", label: "policy entropy" }]}
          note="Of the policy targets of the newest games."
        />
        <SeriesFigure
          title="Value spread"
          unit="standard deviation"
          domain={[0, 1]}
          alarms
          metrics={[{ key: "value_spread", label: "value spread" }]}
          note={
            "Of the network's values at the roots of the newest games; near 0 it tells nothing " +
            "apart."
          }
        />
        <SeriesFigure
          title="Gradient norm"
          unit="norm before clipping"
          fromZero
          log
          alarms
          metrics={[{ key: "gradient_norm", label: "gradient norm" }]}
        />
        <SeriesFigure
          title="Learning rate"
          unit="learning rate"
          fromZero
          alarms
          metrics={[{ key: "learning_rate", label: "learning rate" }]}
        />
      </div>
    </Section>
  );
}
