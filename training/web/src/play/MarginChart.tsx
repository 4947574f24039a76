import type { Side } from "../game";
import { useVoice } from "../texts";

interface Props {
  distribution: number[]; // of -48..48 seeds, of the player to move
  mover: Side;
}

const height = 60;
const least = 0.002; // of what is left out at both ends

// How likely each final margin is, from South's view: South's wins to the right.
export function MarginChart({ distribution, mover }: Props) {
  const voice = useVoice();
  const { analysis, board } = voice.texts;
  const middle = (distribution.length - 1) / 2;
  const chances = mover === "South" ? distribution : distribution.toReversed();
  const likely = chances.flatMap((chance, i) => (chance > least ? [Math.abs(i - middle)] : []));
  const reach = Math.max(6, ...likely);
  const most = Math.max(...chances);
  const bars = chances.slice(middle - reach, middle + reach + 1);
  return (
    <figure class="margins">
      <figcaption>{analysis.margins}</figcaption>
      <svg
        viewBox={`${-reach - 0.5} 0 ${2 * reach + 1} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map((chance, i) => {
          const margin = i - reach;
          const tall = (height * chance) / most;
          const owner = margin > 0 ? "south" : margin < 0 ? "north" : "even";
          return (
            <rect
              key={margin}
              class={owner}
              x={margin - 0.4}
              width={0.8}
              y={height - tall}
              height={tall}
            />
          );
        })}
      </svg>
      <div class="scale" aria-hidden="true">
        <span>
          {board.North} +{reach}
        </span>
        <span>0</span>
        <span>
          {board.South} +{reach}
        </span>
      </div>
    </figure>
  );
}
