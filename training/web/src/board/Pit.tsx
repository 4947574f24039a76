import type { Board, IllegalMove, Ply } from "../game";
import { useVoice } from "../texts";
import type { Frame } from "./frames";
import { Seeds } from "./Seeds";
import { describeIllegal, describeMove, describePit, pitLetter } from "./sentences";

export interface Note {
  text: string;
  share?: number; // 0..1: a bar of that length
}

export interface Marks {
  hint: boolean;
  origin: boolean; // of the last move
  onPath: boolean; // of the move looked at
  landing: boolean; // its last seed, or that of the last move
  taken: number; // seeds that the move looked at takes here
}

interface Props {
  hole: number;
  board: Board;
  frame: Frame;
  move: Ply | null; // if it may be played
  refusal: IllegalMove | null; // why it may not
  marks: Marks;
  note: Note | null;
  onClick?: () => void;
  onLook: (looks: boolean) => void;
}

const classes = (names: Record<string, unknown>) =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(" ");

export function Pit(props: Props) {
  const { hole, board, frame, move, refusal, marks, note, onClick, onLook } = props;
  const voice = useVoice();
  const label = [
    describePit(voice, board, hole),
    move && describeMove(voice, move),
    refusal && describeIllegal(voice, refusal),
    marks.hint && voice.texts.board.hint,
    note?.text,
  ]
    .filter(Boolean)
    .join("; ");
  const inside = (
    <span class="inside" aria-hidden="true">
      <span class="hollow" data-place={hole}>
        <Seeds
          count={frame.pits[hole] ?? 0}
          turn={hole * 67}
          dropped={frame.dropped === hole}
        />
        {marks.taken > 0 && <span class="taken-seeds">−{marks.taken}</span>}
      </span>
      <span class="count">{frame.pits[hole]}</span>
      <span class="letter">{pitLetter(hole)}</span>
      {note && (
        <span class="note" style={{ "--share": note.share ?? 0 }}>
          {note.text}
        </span>
      )}
    </span>
  );
  const look = classes({ pit: true, legal: move && onClick, ...marks });
  if (!onClick)
    return (
      <div class={look} role="img" aria-label={label}>
        {inside}
      </div>
    );
  return (
    <button
      type="button"
      class={look}
      aria-disabled={!move}
      onClick={onClick}
      onPointerEnter={(event) => event.pointerType === "mouse" && onLook(true)}
      onPointerLeave={() => onLook(false)}
      onFocus={() => onLook(true)}
      onBlur={() => onLook(false)}
    >
      {inside}
      <span class="unseen">{label}</span>
    </button>
  );
}
