import { useState } from "preact/hooks";
import type { Game } from "../game";
import { useVoice } from "../texts";
import { ask, ServerError, type LoadedGame, type LoadReply, type Rules } from "./api";
import { Dialog } from "./Dialog";
import { ErrorLine } from "./ErrorLine";
import { presetName } from "./rulesText";
import { describeWinner } from "./sentences";

interface Props {
  rules: Rules; // of games that are moves alone
  onLoad: (game: Game) => void;
  onClose: () => void;
}

// OGN says its rules itself.
const loadRequest = (text: string, rules: Rules) =>
  text.includes("[") ? { text, format: "ogn" } : { text, format: "moves", rules };

export function LoadGame({ rules, onLoad, onClose }: Props) {
  const voice = useVoice();
  const { play } = voice.texts;
  const [text, setText] = useState("");
  const [reply, setReply] = useState<LoadReply | null>(null);
  const [error, setError] = useState<ServerError | null>(null);

  const load = async (text: string) => {
    setText(text);
    setError(null);
    setReply(null);
    try {
      const { signal } = new AbortController();
      const next = await ask<LoadReply>("/api/load", loadRequest(text, rules), signal);
      const [only] = next.games;
      if (only && next.games.length === 1 && next.notes.length === 0) onLoad(only.game);
      else setReply(next);
    } catch (reason) {
      setError(reason instanceof ServerError ? reason : new ServerError(null));
    }
  };

  const title = ({ game, tags }: LoadedGame) =>
    [tags.Event, tags.South && tags.North && `${tags.South} – ${tags.North}`, tags.Date]
      .filter((part) => part && part !== "?")
      .concat(presetName(voice, game.rules), voice.count(play.plies, game.plies.length))
      .concat(game.over ? describeWinner(voice, game) : [])
      .join(" · ");

  return (
    <Dialog title={play.load} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void load(text);
        }}
      >
        <label class="field">
          <span>{play.load_file}</span>
          <input
            type="file"
            accept=".ogn,.txt,.pgn,text/plain"
            onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(load)}
          />
        </label>
        <label class="field">
          <span>{play.load_text}</span>
          <textarea
            class="mono"
            rows={7}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        {error && <ErrorLine error={error} />}
        {reply?.notes.map((note) => (
          <p key={note} class="aside" lang="en">
            {note}
          </p>
        ))}
        {reply && (
          <ol class="loaded">
            {reply.games.map((loaded, i) => (
              <li key={i}>
                <button type="button" onClick={() => onLoad(loaded.game)}>
                  {title(loaded)}
                </button>
              </li>
            ))}
          </ol>
        )}
        <div class="actions">
          <button type="submit" class="primary" disabled={text.trim() === ""}>
            {play.load_open}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
