import type { Board, IllegalMove, Ply } from "../game";
import type { Voice } from "../texts";

const letters = "ABCDEFabcdef";

export const pitLetter = (hole: number) => letters.charAt(hole);

// "last seed on d, takes 3"
export function describeMove(voice: Voice, ply: Ply): string {
  const { board } = voice.texts;
  const lands = voice.fill(board.lands, { pit: pitLetter(ply.path.at(-1) ?? ply.hole) });
  if (ply.void_capture) return `${lands}, ${board.grand_slam_void}`;
  const taken = ply.captures.reduce((sum, capture) => sum + capture.seeds, 0);
  return taken === 0 ? lands : `${lands}, ${voice.fill(board.takes, { n: taken })}`;
}

export function describeIllegal(voice: Voice, move: IllegalMove): string {
  return voice.fill(voice.texts.board[move.reason], { pit: move.move });
}

// Why a pit that was chosen is not played.
export function describeRefusal(
  voice: Voice,
  { to_move }: Board,
  hole: number,
  illegal: IllegalMove[],
): string {
  const move = illegal.find((candidate) => candidate.hole === hole);
  if (move) return describeIllegal(voice, move);
  const owner = hole < 6 ? "South" : "North";
  const { others } = voice.texts.board;
  return owner === to_move ? "" : voice.fill(others[to_move], { pit: pitLetter(hole) });
}

export function describePit(voice: Voice, board: Board, hole: number): string {
  return voice.count(voice.texts.board.pit, board.pits[hole] ?? 0, { pit: pitLetter(hole) });
}
