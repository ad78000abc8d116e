import { useCallback, useEffect, useState } from 'react';
import { refusalText } from './refusal.ts';

interface Loaded<Value> {
  /** The newest value there is; it stays while a later look fails. */
  readonly loaded: Value | null;
  readonly error: string | null;
  readonly reload: () => void;
}

/** Something that is fetched once, and again when asked. Keep `load` outside the component, or in a callback. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Value | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round loads again
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => {
        if (!isCurrent) return;
        setLoaded(value);
        setError(null);
      },
      (reason: unknown) => isCurrent && setError(refusalText(reason)),
    );
    return () => {
      isCurrent = false;
    };
  }, [load, round]);
  return { loaded, error, reload: useCallback(() => setRound((old) => old + 1), []) };
}
