// A move as a film: what lies where, and what the hand holds, after each of its steps.
import type { Board, Ply, Side } from "../game";

export type Place = number | Side; // a hole or a store

export interface Frame {
  pits: number[];
  stores: Record<Side, number>;
  hand: { at: Place; seeds: number } | null;
  dropped: Place | null; // where seeds have just been put
}

export const still = ({ pits, stores }: Board): Frame => ({
  pits,
  stores,
  hand: null,
  dropped: null,
});

export function film(before: Board, ply: Ply): Frame[] {
  const frames: Frame[] = [];
  const pits = [...before.pits];
  const stores = { ...before.stores };
  let seeds = 0;
  const take = (at: number) => {
    seeds = pits[at] ?? 0;
    pits[at] = 0;
    frames.push({ pits: [...pits], stores: { ...stores }, hand: { at, seeds }, dropped: null });
  };
  const put = (at: Place, count: number) => {
    if (typeof at === "number") pits[at] = (pits[at] ?? 0) + count;
    else stores[at] += count;
    seeds -= count;
    frames.push({ pits: [...pits], stores: { ...stores }, hand: { at, seeds }, dropped: at });
  };

  take(ply.hole);
  for (const hole of ply.path) put(hole, 1);
  for (const { hole } of ply.captures) {
    take(hole);
    put(before.to_move, seeds);
  }
  frames.push(still(ply.after));
  return frames;
}
