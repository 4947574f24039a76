import { useVoice } from "../texts";
import { Icon } from "./Icon";

export interface ControlsProps {
  at: number;
  end: number;
  onStep: (at: number) => void;
  onHint: (() => void) | null; // null: not possible now
  onBack: (() => void) | null;
  onTurn: () => void;
  paused: boolean;
  onPause: ((paused: boolean) => void) | null; // null: nobody to be stopped
  onGoOn: (() => void) | null; // from the earlier position that is shown
}

export function Controls(props: ControlsProps) {
  const { at, end, onStep, onHint, onBack, onTurn, paused, onPause, onGoOn } = props;
  const { play } = useVoice().texts;
  const steps = [
    { name: "first", to: 0 },
    { name: "previous", to: at - 1 },
    { name: "next", to: at + 1 },
    { name: "last", to: end },
  ] as const;
  return (
    <div class="controls">
      <div class="steps">
        {steps.map(({ name, to }) => (
          <button
            key={name}
            type="button"
            class="icon-button"
            aria-label={play.steps[name]}
            title={play.steps[name]}
            disabled={to < 0 || to > end || to === at}
            onClick={() => onStep(to)}
          >
            <Icon name={name} />
          </button>
        ))}
      </div>
      {onPause && (
        <button type="button" onClick={() => onPause(!paused)}>
          <Icon name={paused ? "go" : "pause"} />
          {paused ? play.resume : play.pause}
        </button>
      )}
      {onGoOn && (
        <button type="button" onClick={onGoOn}>
          <Icon name="go" />
          {play.go_on}
        </button>
      )}
      <button type="button" disabled={!onHint} onClick={() => onHint?.()}>
        <Icon name="hint" />
        {play.hint}
      </button>
      <button type="button" disabled={!onBack} onClick={() => onBack?.()}>
        <Icon name="back" />
        {play.take_back}
      </button>
      <button type="button" aria-label={play.turn_board} onClick={onTurn}>
        <Icon name="turn" />
        {play.turn}
      </button>
    </div>
  );
}
