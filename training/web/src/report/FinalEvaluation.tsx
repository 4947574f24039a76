import type { MatchReport } from "./data";
import { eloText, fixed, significant, whole, withInterval } from "./numbers";
import { download } from "./save";
import { Section } from "./Section";
import { eloOf, pointsOf } from "./Strength";
import { csvOf, type Table } from "./table";
import { useView } from "./view";

interface Row {
  run: string;
  opponent: string;
  agent: string;
  match: MatchReport;
}

// Every number of the report, its lists and objects spread out.
function csvRows(rows: Row[]): Table {
  const flat = rows.map(({ run, opponent, agent, match }) => {
    const { endings, ...numbers } = match;
    const cells = Object.entries(numbers).filter(([, value]) => typeof value === "number");
    const ends = Object.entries(endings ?? {}).map(([name, value]) => [`endings/${name}`, value]);
    return new Map<string, string | number>([
      ["run", run],
      ["against", opponent],
      ["agent", agent],
      ...(cells as [string, number][]),
      ...(ends as [string, number][]),
    ]);
  });
  const head = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  return [head, ...flat.map((row) => head.map((key) => row.get(key) ?? null))];
}

const endings = (match: MatchReport) =>
  Object.entries(match.endings ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${whole(count)} ${name.replaceAll("_", " ")}`)
    .join(", ");

export function FinalEvaluation() {
  const { runs } = useView();
  const several = runs.length > 1;
  const rows: Row[] = runs.flatMap((run) =>
    (run.evaluation ?? []).flatMap(({ opponent, untrained, trained }) => [
      ...(untrained ? [{ run: run.name, opponent, agent: "untrained", match: untrained }] : []),
      ...(trained ? [{ run: run.name, opponent, agent: "trained", match: trained }] : []),
    ]),
  );
  return (
    <Section
      id="evaluation"
      title="Final evaluation"
      lead={
        "The first and the last network against each opponent, both colours of every opening. " +
        "In brackets 95 % intervals."
      }
      missing={rows.length === 0 && "There is no final evaluation."}
    >
      <div class="scroll" tabIndex={0} role="region" aria-label="Matches">
        <table>
          <thead>
            <tr>
              {several && <th scope="col">run</th>}
              <th scope="col">against</th>
              <th scope="col" class="text">
                network
              </th>
              <th scope="col">points</th>
              <th scope="col">Elo</th>
              <th scope="col">won, drawn, lost</th>
              <th scope="col">distinct games</th>
              <th scope="col">margin, seeds</th>
              <th scope="col">plies a game</th>
              <th scope="col">ms a move</th>
              <th scope="col">opponent's</th>
              <th scope="col" class="text">
                ends of games
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ run, opponent, agent, match }) => (
              <tr key={`${run} ${opponent} ${agent}`} class={agent}>
                {several && <td class="text">{run}</td>}
                <th scope="row">{opponent}</th>
                <td class="text">{agent}</td>
                <td class="points">{withInterval(pointsOf(match), " %")}</td>
                <td>{eloText(eloOf(match))}</td>
                <td>
                  {match.wins}, {match.draws}, {match.losses}
                </td>
                <td>
                  {whole(match.distinct_games)} of {whole(match.games)}
                </td>
                <td>{fixed(match.mean_margin_seeds, 1)}</td>
                <td>{whole(match.mean_plies)}</td>
                <td>{significant(match.first_ms_per_move, 2)}</td>
                <td>{significant(match.second_ms_per_move, 2)}</td>
                <td class="text">{endings(match)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="buttons">
        <button
          type="button"
          aria-label="Save as CSV: Final evaluation"
          onClick={() => download("final-evaluation.csv", "text/csv", csvOf(csvRows(rows)))}
        >
          CSV
        </button>
      </div>
    </Section>
  );
}
