import type { ComponentChildren } from "preact";
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
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <td />
            {runs.map(({ name }, i) => (
              <th key={i} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {values.map((value, i) => (
                <td key={i}>{value ?? "–"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
