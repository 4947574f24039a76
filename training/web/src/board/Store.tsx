import type { Board, Side } from "../game";
import { useVoice } from "../texts";
import type { Frame } from "./frames";
import { Heap } from "./Seeds";

interface Props {
  side: Side;
  board: Board;
  frame: Frame;
  place: "top" | "bottom";
}

export function Store({ side, board, frame, place }: Props) {
  const voice = useVoice();
  const { board: texts } = voice.texts;
  const label = voice.count(texts.store[side], board.stores[side]);
  return (
    <div
      class={`store ${place} ${board.to_move === side ? "moves" : ""}`}
      role="img"
      aria-label={label}
    >
      <span class="owner">{texts[side]}</span>
      <span class="hollow" data-place={side}>
        <Heap count={frame.stores[side]} />
      </span>
      <span class="count">{frame.stores[side]}</span>
    </div>
  );
}
