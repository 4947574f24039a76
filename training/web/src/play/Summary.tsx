import type { Analysis, NetworkOpinion, Side } from "../game";
import { useVoice } from "../texts";
import { describeVerdict } from "./sentences";

const other = (side: Side): Side => (side === "South" ? "North" : "South");

// What the network alone expects, South to the left.
function Chances({ network, mover }: { network: NetworkOpinion; mover: Side }) {
  const voice = useVoice();
  const { analysis, board } = voice.texts;
  const win = { [mover]: network.win, [other(mover)]: network.loss } as Record<Side, number>;
  const parts = [
    { key: "south", name: board.South, chance: win.South },
    { key: "even", name: analysis.draw, chance: network.draw },
    { key: "north", name: board.North, chance: win.North },
  ];
  return (
    <div class="chances">
      <div class="chances-bar" aria-hidden="true">
        {parts.map(({ key, chance }) => (
          <span key={key} class={key} style={{ flexGrow: chance }} />
        ))}
      </div>
      <div class="scale">
        {parts.map(({ key, name, chance }) => (
          <span key={key}>
            {name} {voice.percent(chance)}
          </span>
        ))}
      </div>
    </div>
  );
}

export function Summary({ of }: { of: Analysis }) {
  const voice = useVoice();
  const { analysis } = voice.texts;
  const verdict = describeVerdict(voice, of);
  return (
    <>
      <p class="expected">
        <b>
          {voice.count(analysis.expects[of.to_move], of.margin_seeds, {
            n: voice.signed(of.margin_seeds),
          })}
        </b>
        {of.solved && <span class="badge">{analysis.solved}</span>}
        <span class="aside">{voice.count(analysis.simulations, of.simulations)}</span>
      </p>
      {verdict && (
        <p>
          {analysis.table} {verdict}
        </p>
      )}
      {of.network && <Chances network={of.network} mover={of.to_move} />}
    </>
  );
}
