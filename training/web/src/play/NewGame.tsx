import { useState } from "preact/hooks";
import type { Game } from "../game";
import { useVoice } from "../texts";
import { ask, ServerError, type Info } from "./api";
import { Dialog } from "./Dialog";
import { ErrorLine } from "./ErrorLine";
import { Players } from "./Players";
import { RulesText } from "./RulesText";
import { presetName, presetText } from "./rulesText";
import { Strength } from "./Strength";
import type { Table } from "./table";

interface Props {
  info: Info;
  table: Table;
  onStart: (table: Table) => void;
  onClose: () => void;
}

export function NewGame({ info, table, onStart, onClose }: Props) {
  const voice = useVoice();
  const { play } = voice.texts;
  const [wish, setWish] = useState<Table>({ ...table, moves: "", at: 0, turned: false });
  const [error, setError] = useState<ServerError | null>(null);
  const change = (part: Partial<Table>) => setWish({ ...wish, ...part });
  const { rules } = wish;
  const preset = info.presets.find(({ name }) => name === rules);
  const parameters = typeof rules === "string" ? preset?.rules : rules;

  const start = async () => {
    const request = { rules, start: wish.start.trim() || "start", moves: "" };
    try {
      await ask<Game>("/api/game", request, new AbortController().signal);
      onStart({ ...wish, ...request });
    } catch (reason) {
      setError(reason instanceof ServerError ? reason : new ServerError(null));
    }
  };

  return (
    <Dialog title={play.new_game} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <div class="two-columns">
          <div class="column">
            <label class="field">
              <span>{play.rules}</span>
              <select
                value={typeof rules === "string" ? rules : ""}
                onChange={({ currentTarget }) => change({ rules: currentTarget.value || rules })}
              >
                {!preset && <option value="">{presetName(voice, "custom")}</option>}
                {info.presets.map(({ name }) => (
                  <option key={name} value={name}>
                    {presetName(voice, name)}
                  </option>
                ))}
              </select>
            </label>
            <p class="aside">{presetText(voice, preset?.name ?? "custom")}</p>
            {parameters && <RulesText rules={parameters} />}
          </div>
          <div class="column">
            <Players table={wish} change={change} name="new" />
            <Strength info={info} simulations={wish.simulations} change={change} />
            <label class="field">
              <span>{play.start}</span>
              <input
                class="mono"
                spellcheck={false}
                autocomplete="off"
                value={wish.start}
                onInput={({ currentTarget }) => change({ start: currentTarget.value })}
              />
            </label>
            <p class="aside">{play.start_help}</p>
          </div>
        </div>
        {error && <ErrorLine error={error} />}
        <div class="actions">
          <button type="submit" class="primary">
            {play.start_game}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
