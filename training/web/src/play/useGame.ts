import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Game, Ply } from "../game";
import { ask, type GameRequest, type MoveReply } from "./api";
import type { Change, Table } from "./table";
import { useResource, type Resource } from "./useResource";

export const requestOf = ({ rules, start }: GameRequest, moves: string): GameRequest => ({
  rules,
  start,
  moves,
});

export const keyOf = (request: GameRequest | null) => request && JSON.stringify(request);

// A game of which the moves are known, but not yet what may be played now.
const incomplete = (game: Game, plies: Ply[]): Game => ({
  ...game,
  moves: plies.map((ply) => ply.move).join(""),
  plies,
  board: plies.at(-1)?.after ?? game.start,
  legal: [],
  illegal: [],
  over: null,
});

function useKnown(request: GameRequest | null): Resource<Game> {
  return useResource<Game>(keyOf(request), async (signal, put) =>
    put(await ask("/api/game", request, signal)),
  );
}

export interface View {
  whole: Game | null; // all moves of the table
  game: Game | null; // up to the ply that is shown
  complete: boolean; // `game` says what may be played
  failed: Resource<Game> | null; // the moves that are not shown may be what is wrong
  play: (letter: string) => void;
}

// The game of the table, whole and up to the ply that is shown. What a move does is known before
// it is played, so that the board never waits for the answer to it.
export function useGame(table: Table, change: Change): View {
  const { moves, at } = table;
  const origin = keyOf(requestOf(table, "")) ?? "";
  const wholeAsked = useKnown(requestOf(table, moves));
  const shownAsked = useKnown(at < moves.length ? requestOf(table, moves.slice(0, at)) : null);
  const [known, setKnown] = useState<{ origin: string; game: Game } | null>(null);
  useEffect(() => {
    if (wholeAsked.value) setKnown({ origin, game: wholeAsked.value });
  }, [wholeAsked.value]);

  const guess = (length: number): Game | null =>
    known?.origin === origin && known.game.moves.startsWith(moves.slice(0, length))
      ? incomplete(known.game, known.game.plies.slice(0, length))
      : null;
  const whole = wholeAsked.value ?? guess(moves.length);
  const asked = at < moves.length ? shownAsked : wholeAsked;
  const game =
    asked.value ?? guess(at) ?? (whole ? incomplete(whole, whole.plies.slice(0, at)) : null);

  const failed = [wholeAsked, asked].find(({ error }) => error) ?? null;

  const play = (letter: string) => {
    const ply = game?.legal.find((move) => move.move === letter);
    if (!game || !ply) return;
    const next = incomplete(game, [...game.plies, ply]);
    setKnown({ origin, game: next });
    change({ moves: next.moves, at: next.moves.length });
  };

  return { whole, game, complete: asked.value !== null, failed, play };
}

// The agent's move, asked for as soon as it is its turn and played when the board stands still.
export function useAgent(
  table: Table,
  game: Game | null,
  wanted: boolean,
  settled: boolean,
  play: (letter: string) => void,
): Resource<MoveReply> {
  const request = wanted && game ? requestOf(table, game.moves) : null;
  const body = request && { ...request, simulations: table.simulations };
  const reply = useResource<MoveReply>(keyOf(body), async (signal, put) =>
    put(await ask("/api/move", body, signal)),
  );
  useEffect(() => {
    if (reply.value && settled) play(reply.value.ply.move);
  }, [reply.value, settled]);
  return reply;
}

// Whether the game now shown is the one shown before and one ply more: then it is animated.
export function useStep(origin: string, moves: string): boolean {
  const last = useRef({ origin, moves });
  return useMemo(() => {
    const { current } = last;
    last.current = { origin, moves };
    return (
      origin === current.origin &&
      moves.length === current.moves.length + 1 &&
      moves.startsWith(current.moves)
    );
  }, [origin, moves]);
}
