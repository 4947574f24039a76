import { describeMove } from "../board/sentences";
import type { AnalysedMove, Analysis, Board, Game, Ply, Side } from "../game";
import type { Voice } from "../texts";
import type { Player } from "./table";

export const boardBefore = (game: Game, ply: number): Board =>
  game.plies[ply - 1]?.after ?? game.start;

export const takenBy = (ply: Ply) =>
  ply.captures.reduce((sum, capture) => sum + capture.seeds, 0);

// "South played F: last seed on d, takes 3."
export function describePlayed(voice: Voice, mover: Side, ply: Ply): string {
  const values = { move: ply.move, what: describeMove(voice, ply) };
  return voice.fill(voice.texts.play.played[mover], values);
}

export function describeTurn(voice: Voice, mover: Side, player: Player): string {
  const { play } = voice.texts;
  return player === "agent" ? play.thinks[mover] : play.to_move[mover];
}

export function describeWinner(voice: Voice, game: Game): string {
  const { over } = game;
  if (!over) return "";
  const { winner, final } = over;
  if (!winner) return voice.texts.play.draw;
  return voice.count(voice.texts.play.wins[winner], Math.abs(final.South - final.North));
}

function describeReason(voice: Voice, { over, board, parameters }: Game): string {
  const { ends } = voice.texts.play;
  switch (over?.reason) {
    case "target": {
      const south = board.stores.South >= Number(parameters.target_seeds);
      const side = south ? "South" : "North";
      return voice.count(ends.target[side], board.stores[side]);
    }
    case "no_moves":
      return ends.no_moves[board.to_move];
    case "repetition":
      return voice.fill(ends.repetition, { n: Number(parameters.repetition_occurrence) });
    case "ply_limit":
      return voice.fill(ends.ply_limit, { n: Number(parameters.ply_limit) });
    default:
      return "";
  }
}

// "South 25 + 3 = 28"
function describeSum(voice: Voice, { over, board }: Game, side: Side): string {
  const store = board.stores[side];
  const final = over?.final[side] ?? store;
  const sum = `${voice.texts.board[side]} ${voice.number(store)}`;
  return final === store
    ? sum
    : `${sum} + ${voice.number(final - store)} = ${voice.number(final)}`;
}

// Why the game is over and how the seeds left on the board were counted.
export function describeEnd(voice: Voice, game: Game): string {
  const sums = (["South", "North"] as const).map((side) => describeSum(voice, game, side));
  return `${describeReason(voice, game)} ${sums.join(", ")}.`;
}

const verdicts = {
  loss: "loss",
  "draw or loss": "draw_or_loss",
  draw: "draw",
  "draw or win": "draw_or_win",
  win: "win",
} as const;

// What the endgame table says: "draw or win, −2 to +4 seeds"; nothing where it says nothing.
export function describeVerdict(voice: Voice, of: Analysis | AnalysedMove): string {
  const { table_low: low, table_high: high, table_verdict: verdict } = of;
  if (low === undefined || high === undefined) return "";
  const { texts } = voice;
  const key = verdicts[verdict as keyof typeof verdicts];
  const word = key ? texts.analysis.verdicts[key] : texts.analysis.verdicts.unknown;
  const seeds =
    low === high
      ? voice.count(texts.analysis.seeds, high, { n: voice.signed(high, 0) })
      : voice.count(texts.analysis.seeds_between, high, {
          low: voice.signed(low, 0),
          n: voice.signed(high, 0),
        });
  const limit = "table_certain" in of && of.table_certain === false;
  return `${word}, ${seeds}${limit ? ` ${texts.analysis.without_limit}` : ""}`;
}
