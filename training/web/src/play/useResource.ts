import { useEffect, useState } from "preact/hooks";
import { ServerError } from "./api";

export interface Resource<T> {
  value: T | null; // the latest that was put
  done: boolean;
  error: ServerError | null;
  retry: () => void;
}

interface Answer<T> {
  key: string | null;
  value: T | null;
  done: boolean;
  error: ServerError | null;
}

// What the server says about `key`, and about nothing else: when the key changes, the request is
// aborted, and an answer that belongs to another key is never returned. No key: nothing is asked.
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal, put: (value: T) => void) => Promise<void>,
): Resource<T> {
  const nothing: Answer<T> = { key, value: null, done: false, error: null };
  const [answer, setAnswer] = useState(nothing);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (key === null) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    let value: T | null = null;
    const tell = (change: Partial<Answer<T>>) => {
      if (!signal.aborted) setAnswer({ key, value, done: false, error: null, ...change });
    };
    tell({});
    load(signal, (next) => {
      value = next;
      tell({});
    }).then(
      () => tell({ done: true }),
      (error) => tell({ error: error instanceof ServerError ? error : new ServerError(null) }),
    );
    return () => aborter.abort();
  }, [key, tries]);

  const { value, done, error } = answer.key === key ? answer : nothing;
  return { value, done, error, retry: () => setTries(tries + 1) };
}
