import { has } from "./axes";
import type { Column } from "./chart";
import type { DataStatistics, Quantiles, Run } from "./data";
import { Facts, type Fact } from "./Facts";
import { fixed, significant, whole, withInterval } from "./numbers";
import { RecordedFigure } from "./RecordedFigure";
import { Section } from "./Section";
import { SeriesFigure } from "./SeriesFigure";
import type { SeriesMetric } from "./sources";
import { useView } from "./view";

type Values = (number | null)[];

// Where an iteration finished no game, its numbers are no numbers of games.
function ofGames(values: Values | undefined, run: Run): Values {
  const games = run.series["finished/games"];
  return (values ?? []).map((value, i) => (games?.[i] ? value : null));
}

const column =
  (key: string, scale?: (run: Run, i: number) => number) =>
  (run: Run): Column | null => {
    if (!has(run, key)) return null;
    const y = ofGames(run.series[key], run);
    return { y: scale ? y.map((value, i) => (value === null ? null : value * scale(run, i))) : y };
  };

const percentOfGames = (run: Run, i: number) => 100 / (run.series["finished/games"]?.[i] ?? NaN);

const plies = "finished/plies_a_game";

const length: SeriesMetric = {
  key: `${plies}/mean`,
  label: "plies a game",
  lowKey: `${plies}/shortest`,
  highKey: `${plies}/longest`,
  of: (run) =>
    has(run, `${plies}/mean`)
      ? {
          y: ofGames(run.series[`${plies}/mean`], run),
          low: ofGames(run.series[`${plies}/shortest`], run),
          high: ofGames(run.series[`${plies}/longest`], run),
        }
      : null,
};

const endingNames: Record<string, string> = {
  target: "target reached",
  no_moves: "no move",
  repetition: "repetition",
  ply_limit: "ply limit",
  adjudicated: "adjudicated by a table",
};

const prefix = "finished/endings/";

const endingsOf = (runs: Run[]): SeriesMetric[] =>
  [
    ...new Set([
      ...Object.keys(endingNames).map((name) => prefix + name),
      ...runs.flatMap((run) => Object.keys(run.series).filter((key) => key.startsWith(prefix))),
    ]),
  ]
    .filter((key) => runs.some((run) => run.series[key]?.some((value) => value)))
    .map((key) => {
      const name = key.slice(prefix.length);
      const label = endingNames[name] ?? name;
      return { key: `${key}_percent`, label, of: column(key, percentOfGames) };
    });

const quantiles = (values: Quantiles | undefined, digits = 0) =>
  values
    ? `${fixed(values.median, digits)} [${fixed(values.p5, digits)}, ${fixed(values.p95, digits)}]`
    : null;

function statistics(runs: Run[]): Fact[] {
  const of = (look: (data: DataStatistics) => string | null) => (index: number) => {
    const data = runs[index]?.data;
    return data ? look(data) : null;
  };
  const opt = (value: number | undefined, text: (value: number) => string) =>
    value === undefined ? null : text(value);
  return [
    { label: "recorded games", of: of(({ games }) => whole(games)) },
    {
      label: "distinct games",
      of: of((d) => `${fixed((100 * d.distinct_games) / (d.games || 1), 1)} %`),
    },
    { label: "plies a game", of: of((d) => quantiles(d.plies_a_game)) },
    {
      label: "first player's points",
      of: of(({ first_player: first }) =>
        first
          ? withInterval(
              {
                value: first.points_percent,
                low: first.points_percent_low,
                high: first.points_percent_high,
              },
              " %",
            )
          : null,
      ),
    },
    { label: "draws", of: of((d) => opt(d.draws_percent, (value) => `${fixed(value, 1)} %`)) },
    { label: "winner's margin, seeds", of: of((d) => quantiles(d.margin_of_the_winner)) },
    {
      label: "distinct openings",
      of: of(({ openings }) =>
        openings ? `${whole(openings.distinct)} after ${openings.plies} plies` : null,
      ),
    },
    {
      label: "opening entropy",
      of: of(({ openings }) => (openings ? `${significant(openings.entropy_bits)} bits` : null)),
    },
    {
      label: "most frequent opening",
      of: of(({ openings }) =>
        openings ? `${significant(openings.most_frequent_percent)} % of the games` : null,
      ),
    },
    { label: "policy entropy, nats", of: of((d) => quantiles(d.policy_entropy, 2)) },
    { label: "surprise, nats", of: of((d) => quantiles(d.surprise, 2)) },
    {
      label: "best move as before the search",
      of: of((d) => opt(d.best_move_unchanged_percent, (value) => `${fixed(value, 1)} %`)),
    },
  ];
}

export function Games() {
  const { runs } = useView();
  const endings = endingsOf(runs);
  return (
    <Section
      id="games"
      title="Games"
      lead="Self-play, the games that each iteration finished."
      missing={
        !runs.some((run) => has(run, "finished/games") || run.data) && "No game has been finished."
      }
    >
      <div class="figures">
        <SeriesFigure
          title="First player's points"
          unit="% of the points"
          reference={50}
          metrics={[
            {
              key: "finished/first_player_points_percent",
              label: "first player's points",
              of: column("finished/first_player_points_percent"),
            },
          ]}
          note="Of some hundred games each, so that single iterations differ by chance."
        />
        <SeriesFigure
          title="Game length"
          unit="plies"
          fromZero
          metrics={[length]}
          note="Mean of an iteration's games; the band goes from the shortest to the longest."
        />
        <SeriesFigure
          title="Distinct games"
          unit="% of games"
          metrics={[
            {
              key: "finished/distinct_games_percent",
              label: "distinct games",
              of: column("finished/distinct_games", percentOfGames),
            },
          ]}
          note="Games of an iteration that differ from each other."
        />
        <RecordedFigure
          name="draws_percent"
          title="Draws"
          unit="% of games"
          note="Of the recorded games."
        />
        <RecordedFigure
          name="surprise"
          title="Surprise"
          unit="nats"
          note={
            "Of the recorded games: mean distance (Kullback-Leibler) of the search's policy " +
            "from the network's."
          }
        />
        {endings.length > 0 && (
          <SeriesFigure
            title="How games ended"
            unit="% of games"
            kind="shares"
            domain={[0, 100]}
            metrics={endings}
          />
        )}
      </div>
      {runs.some(({ data }) => data) && (
        <>
          <h3>Recorded games</h3>
          <p class="lead">
            In the newest shards. With brackets: the median, and between which 90 % lie; of a share,
            its 95 % interval.
          </p>
          <Facts caption="Statistics of the recorded games" facts={statistics(runs)} />
        </>
      )}
    </Section>
  );
}
