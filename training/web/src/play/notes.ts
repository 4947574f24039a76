import type { Note } from "../board/Board";
import { pitLetter } from "../board/sentences";
import type { Analysis } from "../game";
import type { Voice } from "../texts";

// How often the search has visited each move, at its pit; before it has begun, room for that.
export function visitNotes(voice: Voice, analysis: Analysis | null): Note[] {
  const moves = analysis?.moves ?? [];
  const all = Math.max(1, moves.reduce((sum, move) => sum + move.visits, 0));
  return Array.from({ length: 12 }, (_, hole) => {
    const move = moves.find((move) => move.move === pitLetter(hole));
    const share = (move?.visits ?? 0) / all;
    return { text: move ? voice.percent(share) : "", share };
  });
}
