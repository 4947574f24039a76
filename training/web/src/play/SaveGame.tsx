import { useState } from "preact/hooks";
import { useVoice } from "../texts";
import { ask, type LoadedGame, type SaveReply } from "./api";
import { Dialog } from "./Dialog";
import { ErrorLine } from "./ErrorLine";
import type { Player, Table } from "./table";
import { keyOf, requestOf } from "./useGame";
import { useResource } from "./useResource";

interface Props {
  table: Table;
  loaded: LoadedGame | null;
  onClose: () => void;
}

function download(name: string, text: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Saved({ name, title, text }: { name: string; title: string; text: string }) {
  const { play } = useVoice().texts;
  const [copied, setCopied] = useState(false);
  return (
    <section class="saved">
      <label class="field">
        <span>{title}</span>
        <textarea class="mono" rows={name.endsWith("ogn") ? 9 : 3} readOnly value={text} />
      </label>
      <div class="actions">
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        >
          {copied ? play.copied : play.copy}
        </button>
        <span class="unseen" role="status">
          {copied && play.copied}
        </span>
        <button type="button" onClick={() => download(name, text)}>
          {play.download}
        </button>
      </div>
    </section>
  );
}

// What a loaded game said of itself, as long as it is that game; the result that people agreed on
// only where it ended.
function keptTags(loaded: LoadedGame | null, moves: string): Record<string, string> {
  if (!loaded) return {};
  const { game, tags } = loaded;
  if (!moves.startsWith(game.moves) && !game.moves.startsWith(moves)) return {};
  const { Result: result, ...others } = tags;
  return result !== undefined && moves === game.moves ? tags : others;
}

// The whole game, also when an earlier position is shown.
export function SaveGame({ table, loaded, onClose }: Props) {
  const { play } = useVoice().texts;
  const nameOf = (player: Player) =>
    player === "agent" ? `awale (${table.simulations} simulations)` : "human";
  const tags = {
    South: nameOf(table.South),
    North: nameOf(table.North),
    ...keptTags(loaded, table.moves),
  };
  const request = { ...requestOf(table, table.moves), tags };
  const { value, error, retry } = useResource<SaveReply>(keyOf(request), async (signal, put) =>
    put(await ask("/api/save", request, signal)),
  );
  return (
    <Dialog title={play.save} onClose={onClose}>
      {error && <ErrorLine error={error} onRetry={retry} />}
      {value && <Saved name="awale.ogn" title="OGN" text={value.ogn} />}
      {value && <Saved name="awale.txt" title={play.moves} text={value.moves} />}
    </Dialog>
  );
}
