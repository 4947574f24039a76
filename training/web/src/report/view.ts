// What the reader has chosen for all charts.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AxisName } from "./axes";
import type { Run } from "./data";

export interface View {
  runs: Run[];
  axis: AxisName;
  smoothing: number; // points in the mean; 1: none
  hidden: ReadonlySet<number>; // runs
}

export const ViewContext = createContext<View>({
  runs: [],
  axis: "games",
  smoothing: 1,
  hidden: new Set(),
});

export const useView = () => useContext(ViewContext);
