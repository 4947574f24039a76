import type { ComponentChildren } from "preact";
import { RunTable } from "./RunTable";
import { useView } from "./view";

export interface Fact {
  label: string;
  of: (index: number) => ComponentChildren; // of a run; null: not known
}

// Facts of one run as a list, of several as a table, a column a run.
export function Facts({ facts, caption }: { facts: Fact[]; caption: string }) {
  const { runs } = useView();
  const known = facts
    .map(({ label, of }) => ({ label, values: runs.map((_, i) => of(i)) }))
    .filter(({ values }) => values.some((value) => value !== null));
  if (runs.length === 1) {
    return (
      <dl class="facts">
        {known.map(({ label, values }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{values}</dd>
          </div>
        ))}
      </dl>
    );
  }
  return <RunTable caption={caption} rows={known} />;
}
