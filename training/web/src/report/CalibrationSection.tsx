import type { Calibration } from "./data";
import { Facts } from "./Facts";
import { Figure } from "./Figure";
import { fixed } from "./numbers";
import { RecordedFigure } from "./RecordedFigure";
import { Section } from "./Section";
import { useView } from "./view";

const sources = [
  { key: "root_value", title: "Search's value against outcome", label: "search" },
  { key: "network_value", title: "Network's value against outcome", label: "network" },
] as const;

export function CalibrationSection() {
  const { runs } = useView();
  const of = (index: number, key: "root_value" | "network_value"): Calibration | undefined =>
    runs[index]?.data?.[key];
  const known = sources.filter(({ key }) =>
    runs.some((_, i) => (of(i, key)?.bins.length ?? 0) > 0),
  );
  return (
    <Section
      id="calibration"
      title="Calibration"
      lead={
        "Positions of the recorded games in ten bins of the value: its mean against the mean " +
        "outcome, both of the player to move (-1 lost, 1 won). Right values lie on the " +
        "diagonal; larger symbols are more positions."
      }
      missing={!known.length && "There are no recorded games with searches."}
    >
      <div class="figures">
        {known.map(({ key, title }) => (
          <Figure
            key={key}
            title={title}
            height={300}
            build={() => ({
              kind: "calibration",
              metrics: [{ key: "mean_outcome", label: "mean outcome" }],
              xKey: "mean_value",
              xLabel: "mean value",
              yLabel: "mean outcome",
              yDomain: [-1, 1],
              data: runs.flatMap((_, run) => {
                const bins = of(run, key)?.bins ?? [];
                if (bins.length === 0) return [];
                return [
                  {
                    run,
                    x: bins.map((bin) => bin.mean_value),
                    columns: [
                      {
                        y: bins.map((bin) => bin.mean_outcome),
                        n: bins.map((bin) => bin.n),
                      },
                    ],
                  },
                ];
              }),
            })}
          />
        ))}
        <RecordedFigure
          name="root_value_error"
          title="Error of the search's value"
          unit="mean squared error"
          note="Against the outcome, over the run."
        />
      </div>
      <Facts
        caption="Errors of the values"
        facts={known.flatMap(({ key, label }) => [
          {
            label: `calibration error, ${label}`,
            of: (i) => (of(i, key) ? fixed(of(i, key)?.calibration_error ?? NaN, 4) : null),
          },
          {
            label: `mean squared error, ${label}`,
            of: (i) => (of(i, key) ? fixed(of(i, key)?.mean_squared_error ?? NaN, 3) : null),
          },
        ])}
      />
    </Section>
  );
}
