import type { Analysis, Game } from "../game";
import { askStream } from "./api";
import type { Table } from "./table";
import { keyOf, requestOf } from "./useGame";
import { useResource, type Resource } from "./useResource";

// The search of the position shown, as it deepens.
export function useAnalysis(
  table: Table,
  game: Game | null,
  wanted: boolean,
  simulations: number,
): Resource<Analysis> {
  const body = wanted && game && { ...requestOf(table, game.moves), simulations };
  return useResource<Analysis>(body ? keyOf(body) : null, (signal, put) =>
    askStream("/api/analyze", body, signal, put),
  );
}
