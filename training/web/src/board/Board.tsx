import { useEffect, useState } from "preact/hooks";
import type { Board as Position, IllegalMove, Ply, Side } from "../game";
import { useVoice } from "../texts";
import { useKeys } from "../useKeys";
import { Hand } from "./Hand";
import { Pit, type Marks, type Note } from "./Pit";
import { describeMove, describeRefusal, pitLetter } from "./sentences";
import { Store } from "./Store";
import { useFilm } from "./useFilm";
import "./board.css";

export type { Note } from "./Pit";

export interface BoardProps {
  board: Position; // shown when everything stands still
  ply?: Ply | null; // the move that led here: its origin and last hole are marked
  before?: Position | null; // the board before `ply`: with it the move is animated, once
  legal?: Ply[];
  illegal?: IllegalMove[];
  onPlay?: (letter: string) => void; // without it the board is a picture, no pit a button
  onSettled?: (position: string) => void; // `board` stands still
  notes?: (Note | null)[]; // what to say at each of the 12 holes
  hint?: number | null; // a hole
  flipped?: boolean; // seen from North
  speed?: number; // of the animation; 0: none
}

const rows = { South: [0, 1, 2, 3, 4, 5], North: [6, 7, 8, 9, 10, 11] };

function marksOf(hole: number, preview: Ply | null, last: Ply | null, hint: number | null): Marks {
  return {
    hint: hole === hint,
    origin: !preview && hole === last?.hole,
    onPath: preview?.path.includes(hole) ?? false,
    landing: hole === (preview ?? last)?.path.at(-1),
    taken: preview?.captures.find((capture) => capture.hole === hole)?.seeds ?? 0,
  };
}

export function Board({
  board,
  ply = null,
  before = null,
  legal = [],
  illegal = [],
  onPlay,
  onSettled,
  notes = [],
  hint = null,
  flipped = false,
  speed = 1,
}: BoardProps) {
  const voice = useVoice();
  const { frame, stepMs } = useFilm(board, before, ply, speed, onSettled);
  const [looked, setLooked] = useState<number | null>(null);
  const [refused, setRefused] = useState<number | null>(null); // hole that cannot be played
  useEffect(() => setRefused(null), [board.position]);

  const preview = legal.find((move) => move.hole === looked) ?? null;
  const refusal = refused === null ? "" : describeRefusal(voice, board, refused, illegal);
  const bottom: Side = flipped ? "North" : "South";
  const top: Side = flipped ? "South" : "North";

  const click = (hole: number) => {
    const move = legal.find((candidate) => candidate.hole === hole);
    setRefused(move ? null : hole);
    if (move) onPlay?.(move.move);
  };

  const own = rows[board.to_move].map((hole) => [pitLetter(hole).toLowerCase(), hole] as const);
  useKeys(Object.fromEntries(own.map(([key, hole]) => [key, () => click(hole)])));

  const row = (side: Side, holes: number[]) => (
    <div class={`row ${side === bottom ? "bottom" : "top"}`}>
      {holes.map((hole) => (
        <Pit
          key={hole}
          hole={hole}
          board={board}
          frame={frame}
          move={legal.find((move) => move.hole === hole) ?? null}
          refusal={illegal.find((move) => move.hole === hole) ?? null}
          marks={marksOf(hole, preview, frame.hand ? null : ply, hint)}
          note={notes[hole] ?? null}
          onClick={onPlay && (() => click(hole))}
          onLook={(looks) => setLooked(looks ? hole : null)}
        />
      ))}
    </div>
  );

  return (
    <div class="board" role="group" aria-label={voice.texts.board.label}>
      <div class="wood">
        <Store side={top} board={board} frame={frame} place="top" />
        {row(top, rows[top].toReversed())}
        {row(bottom, rows[bottom])}
        <Store side={bottom} board={board} frame={frame} place="bottom" />
        <Hand hand={frame.hand} stepMs={stepMs} />
      </div>
      {onPlay && (
        <p class="says" role="status">
          {refusal ? (
            <span class="refused">{refusal}</span>
          ) : (
            preview && (
              <span aria-hidden="true">
                <b>{preview.move}</b> {describeMove(voice, preview)}
              </span>
            )
          )}
        </p>
      )}
    </div>
  );
}
