import { useVoice } from "../texts";
import type { Info } from "./api";
import { Dialog } from "./Dialog";

export function Help({ info, onClose }: { info: Info; onClose: () => void }) {
  const { help } = useVoice().texts;
  const keys: [string, string][] = [
    ["A – F", help.key_play],
    ["H", help.key_hint],
    ["U", help.key_back],
    ["← →", help.key_step],
    ["Home, End", help.key_ends],
    ["?", help.key_help],
  ];
  return (
    <Dialog title={help.title} onClose={onClose}>
      {help.how.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <h3>{help.keys}</h3>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="aside">
        awale {info.version} ({info.git_revision.slice(0, 10)}) · {info.checkpoint} ·{" "}
        {info.evaluator}
      </p>
    </Dialog>
  );
}
