import { useSyncExternalStore } from 'react';

/** A choice of this user on this machine, out of a fixed list. */
export interface StoredChoice<Value> {
  readonly now: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A choice kept in the browser's storage; `apply` makes it seen, at once and at each change. */
export function storedChoice<const Values extends readonly (string | number)[]>(
  key: string,
  values: Values,
  { usual, apply }: { readonly usual: Values[number]; readonly apply: (value: Values[number]) => void },
): StoredChoice<Values[number]> {
  const listeners = new Set<() => void>();
  const kept = localStorage.getItem(key);
  let value: Values[number] = values.find((other) => String(other) === kept) ?? usual;
  apply(value);
  return {
    now: () => value,
    set: (next) => {
      value = next;
      localStorage.setItem(key, String(next));
      apply(next);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useChoice<Value>(choice: StoredChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.now);
}
