import type { Grade, Match, Run } from "./data";
import { Figure } from "./Figure";
import { percent, wilson, type Estimate } from "./numbers";
import { Section } from "./Section";
import { gradeChart, type GradeMetric } from "./sources";
import { useView } from "./view";

const truthUnits: Record<string, { title: string; unit: string; note: string }> = {
  lost: {
    title: "Results lost",
    unit: "% of positions at stake",
    note:
      "Share of moves that throw a certain result away, of the positions at stake. Bars: " +
      "Wilson's 95 % interval, n = at_stake.",
  },
  unknown: {
    title: "Moves of unknown worth",
    unit: "% of positions at stake",
    note:
      "Neither certainly right nor certainly wrong. Bars: Wilson's 95 % interval, " +
      "n = at_stake.",
  },
  best: { title: "Best moves", unit: "share of positions", note: "Moves that give nothing away." },
  seeds: { title: "Seeds given away", unit: "seeds a move", note: "For certain, mean of a move." },
  brier: {
    title: "Brier score",
    unit: "Brier score",
    note: "Of the network's win, draw and loss, against perfect play: 0 is perfect.",
  },
  log_score: { title: "Log score", unit: "nats", note: "Of the same: 0 is perfect." },
  calibration_error: {
    title: "Calibration error",
    unit: "probability",
    note: "Classwise, over ten bins, against perfect play.",
  },
  margin_error_seeds: {
    title: "Margin error",
    unit: "seeds",
    note: "Mean absolute error of the margin, where the exact one is known.",
  },
};

const player = (key: string) => /^(network|search_(\d+))_(.+)$/.exec(key);

export const truthLabel = (key: string) => {
  const [, who, simulations] = player(key) ?? [];
  return simulations ? `search of ${simulations}` : who ? "network alone" : key;
};

export function lostOf(grade: Grade, key: string): Estimate | undefined {
  const share = grade.truth?.[key];
  return grade.truth && typeof share === "number"
    ? percent(wilson(share, grade.truth.at_stake))
    : undefined;
}

export const pointsOf = (match: Match): Estimate => ({
  value: match.points_percent,
  low: match.points_percent_low,
  high: match.points_percent_high,
});

export const eloOf = (match: Match): Estimate => ({
  value: match.elo,
  low: match.elo_low,
  high: match.elo_high,
});

export const opponentsOf = (runs: Run[]) => [
  ...new Set(
    runs.flatMap(({ grades }) =>
      grades.flatMap(({ matches = [] }) => matches.map(({ opponent }) => opponent)),
    ),
  ),
];

export const truthKeysOf = (runs: Run[]) => [
  ...new Set(runs.flatMap(({ grades }) => grades.flatMap(({ truth }) => Object.keys(truth ?? {})))),
];

const against = (opponent: string, name: string, of: (match: Match) => Estimate): GradeMetric => ({
  key: `${opponent}/${name}`,
  label: opponent,
  of: ({ matches }) => {
    const match = matches?.find((other) => other.opponent === opponent);
    return match && of(match);
  },
});

// network_lost and search_64_lost belong into one chart: "lost".
function truthGroups(runs: Run[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of truthKeysOf(runs)) {
    if (key === "positions" || key === "at_stake") continue;
    const group = player(key)?.[3] ?? key;
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  return groups;
}

const isShareAtStake = (group: string) => group === "lost" || group === "unknown";

const truthMetric = (group: string, key: string): GradeMetric => ({
  key: isShareAtStake(group) ? `${key}_percent` : key,
  label: truthLabel(key),
  of: (grade) => (isShareAtStake(group) ? lostOf(grade, key) : grade.truth?.[key]),
});

export function Strength() {
  const view = useView();
  const { runs } = view;
  const opponents = opponentsOf(runs);
  const groups = [...truthGroups(runs)];
  const single = opponents.length === 1 ? ` against ${opponents[0]}` : "";
  return (
    <Section
      id="strength"
      title="Strength"
      lead={
        "Grades of the checkpoints that were kept: matches, and positions of which the truth is " +
        "known. Bars are 95 % intervals."
      }
      missing={!opponents.length && !groups.length && "No checkpoint has been graded."}
    >
      <div class="figures">
        {opponents.length > 0 && (
          <Figure
            title="Points"
            note="Of the checkpoint, with the interval of its pairs of games."
            build={() =>
              gradeChart(
                view,
                opponents.map((opponent) => against(opponent, "points_percent", pointsOf)),
                { yLabel: `% of the points${single}`, yDomain: [0, 100], reference: 50 },
              )
            }
          />
        )}
        {opponents.length > 0 && (
          <Figure
            title="Elo"
            note={
              "Logistic. Where every game was won or lost it is a bound, half a game away from " +
              "that."
            }
            build={() =>
              gradeChart(
                view,
                opponents.map((opponent) => against(opponent, "elo", eloOf)),
                { yLabel: `Elo${single}`, reference: 0 },
              )
            }
          />
        )}
        {groups.map(([group, keys]) => {
          const { title, unit, note } = truthUnits[group] ?? { title: group, unit: group };
          return (
            <Figure
              key={group}
              title={title}
              note={note}
              build={() =>
                gradeChart(
                  view,
                  keys.map((key) => truthMetric(group, key)),
                  { yLabel: unit, fromZero: true, log: group !== "best" },
                )
              }
            />
          );
        })}
      </div>
    </Section>
  );
}
