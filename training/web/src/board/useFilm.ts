import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Board, Ply } from "../game";
import { film, still, type Frame } from "./frames";

const stepMs = 210;
const longestMs = 3200; // of a whole move

const wantsNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The frame to be drawn now. The film of `ply` from `before` to `board` runs once for each change
// of the three; without `before`, or at speed 0, `board` is there at once. `onSettled` is told the
// position when it stands still.
export function useFilm(
  board: Board,
  before: Board | null,
  ply: Ply | null,
  speed: number,
  onSettled?: (position: string) => void,
): { frame: Frame; stepMs: number } {
  const key = before && ply ? `${before.position} ${ply.move} ${board.position}` : board.position;
  const frames = useMemo(
    () =>
      before && ply && speed > 0 && !wantsNoMotion() ? film(before, ply) : [still(board)],
    [key],
  );
  const step = Math.min(stepMs, longestMs / frames.length) / (speed || 1);
  const [shown, setShown] = useState({ key, index: 0 });
  const index = shown.key === key ? shown.index : 0;
  const last = index >= frames.length - 1;

  useLayoutEffect(() => setShown({ key, index: 0 }), [key]);
  useEffect(() => {
    if (last) {
      onSettled?.(board.position);
      return;
    }
    const timer = setTimeout(() => setShown({ key, index: index + 1 }), step);
    return () => clearTimeout(timer);
  }, [key, index, last]);

  return { frame: frames[index] ?? still(board), stepMs: step };
}
