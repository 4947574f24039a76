import { useState } from "preact/hooks";
import { useVoice } from "../texts";
import { ask, ServerError, type Info, type LoadedGame, type LoadReply, type Rules } from "./api";
import { Dialog } from "./Dialog";
import { ErrorLine } from "./ErrorLine";
import { describeProblem, type Format } from "./loadProblem";
import { presetName } from "./rulesText";
import { describeWinner } from "./sentences";

interface Props {
  info: Info;
  rules: Rules; // of games that are moves alone
  onLoad: (loaded: LoadedGame) => void;
  onClose: () => void;
}

// Tags or numbered moves.
const looksLikeOgn = (text: string) => /\[|^\s*\d+\./.test(text);
const formatOf = (text: string): Format => (looksLikeOgn(text) ? "ogn" : "moves");

// OGN says its rules itself.
const loadRequest = (text: string, format: Format, rules: Rules) =>
  format === "ogn" ? { text, format } : { text, format, rules };

export function LoadGame({ info, rules, onLoad, onClose }: Props) {
  const voice = useVoice();
  const { play, load_problems: problems } = voice.texts;
  const [text, setText] = useState("");
  const [reply, setReply] = useState<LoadReply | null>(null);
  const [error, setError] = useState<ServerError | null>(null);
  const [format, setFormat] = useState<Format>("moves"); // of what was asked last

  const load = async (text: string) => {
    const format = formatOf(text);
    setText(text);
    setFormat(format);
    setError(null);
    setReply(null);
    try {
      const { signal } = new AbortController();
      const next = await ask<LoadReply>("/api/load", loadRequest(text, format, rules), signal);
      const [only] = next.games;
      if (only && next.games.length === 1 && next.notes.length === 0) onLoad(only);
      else setReply(next);
    } catch (reason) {
      setError(reason instanceof ServerError ? reason : new ServerError(null));
    }
  };

  // The field is emptied, so that a file that has been mended can be chosen again.
  const loadFile = async (field: HTMLInputElement) => {
    const text = await field.files?.[0]?.text();
    field.value = "";
    if (text !== undefined) await load(text);
  };

  const title = ({ game, tags }: LoadedGame) =>
    [tags.Event, tags.South && tags.North && `${tags.South} – ${tags.North}`, tags.Date]
      .filter((part) => part && part !== "?")
      .concat(presetName(voice, game.rules), voice.count(play.plies, game.plies.length))
      .concat(game.over ? describeWinner(voice, game) : [])
      .join(" · ");

  const names = info.presets.map(({ name }) => name);
  const heading = ({ detail }: ServerError) =>
    describeProblem(voice, detail ?? "", format, rules, names);

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
            onChange={({ currentTarget }) => void loadFile(currentTarget)}
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
        {error && <ErrorLine error={error} heading={heading(error)} />}
        {reply?.games.length === 0 && (
          <p class="error-line" role="alert">
            {problems.empty}
          </p>
        )}
        {reply?.notes.map((note) => (
          <p key={note} class="aside" lang="en">
            {note}
          </p>
        ))}
        {reply && (
          <ol class="loaded">
            {reply.games.map((loaded, i) => (
              <li key={i}>
                <button type="button" onClick={() => onLoad(loaded)}>
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
