import type { ComponentChildren } from "preact";
import { useView } from "./view";

interface Row {
  label: string;
  values: ComponentChildren[]; // a run each; null: not known
}

// What is said of several runs, a column a run.
export function RunTable({ caption, rows }: { caption: string; rows: Row[] }) {
  const { runs } = useView();
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
          {rows.map(({ label, values }) => (
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
