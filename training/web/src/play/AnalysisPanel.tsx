import type { AnalysedMove, Analysis, Game } from "../game";
import { useVoice } from "../texts";
import { ErrorLine } from "./ErrorLine";
import { MarginChart } from "./MarginChart";
import { describeVerdict } from "./sentences";
import { Summary } from "./Summary";
import type { Resource } from "./useResource";

interface Props {
  on: boolean;
  onToggle: (on: boolean) => void;
  game: Game;
  asked: Resource<Analysis>;
}

const Bar = ({ share, text }: { share: number; text: string }) => (
  <td class="bar" style={{ "--share": share }}>
    <span>{text}</span>
  </td>
);

function MoveRow({ move, of }: { move: AnalysedMove; of: Analysis }) {
  const voice = useVoice();
  const most = Math.max(1, ...of.moves.map(({ visits }) => visits));
  const verdict = describeVerdict(voice, move);
  return (
    <>
      <tr class={move.move === of.best ? "best" : ""}>
        <th scope="row">{move.move}</th>
        <Bar share={move.visits / most} text={voice.number(move.visits)} />
        <Bar share={move.prior} text={voice.percent(move.prior)} />
        <td>{move.value === null ? "–" : voice.signed(move.value, 2)}</td>
        <td>{move.margin_seeds === null ? "–" : voice.signed(move.margin_seeds)}</td>
      </tr>
      {verdict && (
        <tr class="verdict">
          <td />
          <td colSpan={4}>{verdict}</td>
        </tr>
      )}
    </>
  );
}

function MoveTable({ of }: { of: Analysis }) {
  const { analysis } = useVoice().texts;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{analysis.move}</th>
          <th scope="col">{analysis.visits}</th>
          <th scope="col">{analysis.prior}</th>
          <th scope="col">{analysis.value}</th>
          <th scope="col">{analysis.margin}</th>
        </tr>
      </thead>
      <tbody>
        {of.moves.map((move) => (
          <MoveRow key={move.move} move={move} of={of} />
        ))}
      </tbody>
    </table>
  );
}

function Details({ of }: { of: Analysis }) {
  const { analysis } = useVoice().texts;
  return (
    <>
      <MoveTable of={of} />
      <div class="outlook">
        <Summary of={of} />
        <p class="line">
          <span>{analysis.line}</span> <b class="mono">{of.line}</b>
        </p>
        {of.network?.margin_distribution && (
          <MarginChart distribution={of.network.margin_distribution} mover={of.to_move} />
        )}
      </div>
    </>
  );
}

export function AnalysisPanel({ on, onToggle, game, asked }: Props) {
  const { analysis } = useVoice().texts;
  return (
    <section class="card analysis">
      <h2>
        <label class="switch">
          {analysis.title}
          <input
            type="checkbox"
            role="switch"
            checked={on}
            onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
          />
        </label>
      </h2>
      {!on && <p class="aside">{analysis.about}</p>}
      {on && game.over && <p class="aside">{analysis.over}</p>}
      {on && asked.error && <ErrorLine error={asked.error} onRetry={asked.retry} />}
      {on && asked.value && (
        <div class="details" aria-busy={!asked.done}>
          <Details of={asked.value} />
        </div>
      )}
    </section>
  );
}
