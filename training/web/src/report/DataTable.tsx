import { useState } from "preact/hooks";
import type { Cell, Table } from "./table";

// Six digits are enough to read; the CSV has all.
const shown = (cell: Cell) =>
  typeof cell !== "number" ? (cell ?? "") : Number.isNaN(cell) ? "" : Number(cell.toPrecision(6));

interface DataTableProps {
  title: string;
  rows: () => Table; // asked for when the reader opens it
}

export function DataTable({ title, rows }: DataTableProps) {
  const [open, setOpen] = useState(false);
  const [head = [], ...body] = open ? rows() : [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table</summary>
      {open && (
        <div class="scroll tall" tabIndex={0} role="region" aria-label={`Numbers of ${title}`}>
          <table>
            <thead>
              <tr>
                {head.map((cell) => (
                  <th key={cell} scope="col">
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {body.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, k) => (
                    <td key={k}>{shown(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
