import { useLayoutEffect, useRef } from "preact/hooks";
import type { Frame } from "./frames";
import { Seeds } from "./Seeds";

interface Props {
  hand: Frame["hand"];
  stepMs: number;
}

// The seeds that are being carried, over the hollow in which the next one falls.
export function Hand({ hand, stepMs }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const moving = useRef(false);

  useLayoutEffect(() => {
    const own = element.current;
    const wood = own?.parentElement;
    const target = wood?.querySelector(`[data-place="${hand?.at}"]`)?.getBoundingClientRect();
    if (own && wood && target) {
      const origin = wood.getBoundingClientRect();
      const x = target.x + target.width / 2 - origin.x - wood.clientLeft;
      const y = target.y + target.height / 2 - origin.y - wood.clientTop;
      own.style.transition = moving.current ? `transform ${0.7 * stepMs}ms ease-in-out` : "none";
      own.style.transform = `translate(${x}px, ${y}px)`;
    }
    moving.current = hand !== null;
  }, [hand]);

  if (!hand) return null;
  return (
    <div class="hand" ref={element}>
      <Seeds count={hand.seeds} turn={0} />
    </div>
  );
}
