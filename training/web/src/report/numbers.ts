// Numbers as people read them.

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

const minus = (text: string) => text.replace("-", "−");

export function fixed(value: number, decimals: number): string {
  const digits = Math.max(0, decimals);
  const scale = 10 ** Math.max(0, -decimals);
  const rounded = scale === 1 ? value : Math.round(value / scale) * scale;
  return minus(
    rounded.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
}

export const whole = (value: number) => fixed(value, 0);

// To `digits` significant digits, without an exponent where that can be read.
export function significant(value: number, digits = 3): string {
  if (value === 0) return "0";
  if (Math.abs(value) < 1e-4) return minus(value.toExponential(digits - 1));
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  return fixed(value, Math.max(0, decimals));
}

// Half the width of the interval has one digit, or two where they are at most 35: more of the value
// would be chance.
function decimalsOf({ low, high }: Estimate): number {
  const half = (high - low) / 2;
  if (half <= 0) return 1;
  const exponent = Math.floor(Math.log10(half));
  return Math.min(3, half / 10 ** exponent <= 3.5 ? 1 - exponent : -exponent);
}

export function withInterval(estimate: Estimate, unit = ""): string {
  const decimals = decimalsOf(estimate);
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map((number) =>
    fixed(number, decimals),
  );
  return `${value}${unit} [${low}, ${high}]`;
}

// Where every game was won or lost, Elo has one bound only.
export function eloText(estimate: Estimate): string {
  const { value, low, high } = estimate;
  const decimals = decimalsOf(estimate);
  const sign = (number: number) => (number > 0 ? "+" : "") + fixed(number, decimals);
  if (value >= high) return `over ${sign(low)}`;
  if (value <= low) return `under ${sign(high)}`;
  return `${sign(value)} [${sign(low)}, ${sign(high)}]`;
}

// Wilson's 95 % interval of a share of n.
export function wilson(share: number, n: number): Estimate {
  if (n <= 0) return { value: share, low: 0, high: 1 };
  const z = 1.959963984540054;
  const spread = (z * z) / n;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((share * (1 - share)) / n + spread / (4 * n))) / (1 + spread);
  return {
    value: share,
    low: Math.max(0, Math.min(share, centre - half)),
    high: Math.min(1, Math.max(share, centre + half)),
  };
}

export const percent = ({ value, low, high }: Estimate): Estimate => ({
  value: 100 * value,
  low: 100 * low,
  high: 100 * high,
});

// Mean over `width` values around each; where there is none there is none.
export function smoothed(values: (number | null)[], width: number): (number | null)[] {
  if (width === 1) return values;
  const half = (width - 1) / 2;
  return values.map((value, i) => {
    if (value === null) return null;
    let sum = 0;
    let count = 0;
    for (let k = Math.max(0, i - half); k <= Math.min(values.length - 1, i + half); k++) {
      const other = values[k];
      if (typeof other === "number") {
        sum += other;
        count += 1;
      }
    }
    return sum / count;
  });
}
