import { useEffect, useRef } from "preact/hooks";

type Keys = Record<string, () => void>;

const typing = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, select, textarea, dialog") !== null;

// Keys that work anywhere on the page, but where they would write or choose something.
export function useKeys(keys: Keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key] ?? latest.current[event.key.toLowerCase()];
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      if (!act || modified || event.defaultPrevented || typing(event.target)) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
