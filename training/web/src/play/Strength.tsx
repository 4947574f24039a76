import { useVoice, type Texts } from "../texts";
import type { Info } from "./api";
import type { Change } from "./table";

type Level = keyof Texts["play"]["levels"];

const levels: [Level, number][] = [
  ["glance", 2],
  ["quick", 16],
  ["steady", 100],
  ["thorough", 800],
  ["deep", 5000],
];

// Those that the server allows, and its default among them: a new game has a level with a name.
function offeredLevels({ simulations, most_simulations: most }: Info): [Level, number][] {
  const offered = levels.filter(([, number]) => number <= most);
  if (offered.some(([, number]) => number === simulations)) return offered;
  const normal: [Level, number] = ["normal", simulations];
  return [...offered, normal].sort(([, a], [, b]) => a - b);
}

interface Props {
  info: Info;
  simulations: number;
  change: Change;
}

// How long the agent thinks: a named level, or any number of simulations.
export function Strength({ info, simulations, change }: Props) {
  const voice = useVoice();
  const { play } = voice.texts;
  const offered = offeredLevels(info);
  const level = offered.find(([, number]) => number === simulations)?.[0] ?? "";
  return (
    <div class="strength">
      <label class="field">
        <span>{play.strength}</span>
        <select
          value={level}
          onChange={({ currentTarget }) => {
            const chosen = offered.find(([name]) => name === currentTarget.value);
            if (chosen) change({ simulations: chosen[1] });
          }}
        >
          {level === "" && <option value="">{play.own_level}</option>}
          {offered.map(([name]) => (
            <option key={name} value={name}>
              {play.levels[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{play.simulations}</span>
        <input
          type="number"
          min={1}
          max={info.most_simulations}
          required
          value={simulations}
          onChange={({ currentTarget }) => {
            if (currentTarget.reportValidity())
              change({ simulations: currentTarget.valueAsNumber });
          }}
        />
      </label>
    </div>
  );
}
