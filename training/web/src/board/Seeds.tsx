// Seeds as they lie in a round hollow: each has its place, so that one more moves none.
const golden = 2.39996;
const most = 16; // more would only be a heap; the number beside the hollow says how many there are
const radius = 11.8;

const places = Array.from({ length: most }, (_, i) => {
  const distance = i === 0 ? 0 : 5 + 8.8 * Math.sqrt(i);
  return { x: distance * Math.cos(golden * i), y: distance * Math.sin(golden * i) };
});

function Nut({ kind }: { kind: number }) {
  return (
    <>
      <circle class="shade" cx={1.5} cy={2.5} r={radius} />
      <circle class={`nut-${kind}`} r={radius} />
      <circle class="shine" cx={-3.5} cy={-4} r={3.4} />
    </>
  );
}

interface Props {
  count: number;
  turn: number; // degrees, so that no two hollows look alike
  dropped?: boolean; // the newest seed has just come
}

export function Seeds({ count, turn, dropped = false }: Props) {
  const shown = Math.min(count, most);
  return (
    <svg class="seeds" viewBox="-50 -50 100 100" aria-hidden="true">
      <g transform={`rotate(${turn})`}>
        {places.slice(0, shown).map(({ x, y }, i) => (
          <g key={i} transform={`translate(${x} ${y}) rotate(${-turn})`}>
            <g class={dropped && i === shown - 1 ? "dropped" : ""}>
              <Nut kind={(i * 7 + turn) % 3} />
            </g>
          </g>
        ))}
      </g>
    </svg>
  );
}

// All seeds, in rows: a store is long where the board is wide and flat where it is narrow.
export function Heap({ count }: { count: number }) {
  return (
    <span class="heap" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <svg key={i} viewBox="-13 -13 28 28">
          <Nut kind={(i * 5) % 3} />
        </svg>
      ))}
    </span>
  );
}
