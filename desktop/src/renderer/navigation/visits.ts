import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Client, useClient } from 'urql';
import { visitId } from './hash-location.ts';

/** What the pages of one place in the history keep, by its name or by whatever else it is known. */
export type Kept = Map<unknown, unknown>;

/** Places that are kept of a gateway; beyond them the oldest are forgotten. */
const MOST_VISITS = 20;

/** Nobody sees what another gateway's pages have kept. */
const visits = new WeakMap<Client, Map<string, Kept>>();

/** What is kept of the place in the history that the window is at. */
export function keptHere(client: Client): Kept {
  const all = visits.get(client) ?? new Map<string, Kept>();
  visits.set(client, all);
  const id = visitId();
  const kept = all.get(id) ?? new Map();
  all.delete(id); // now the youngest
  all.set(id, kept);
  const [oldest] = all.keys();
  if (all.size > MOST_VISITS && oldest !== undefined) all.delete(oldest);
  return kept;
}

/** What a page keeps for who comes back to it by the history: null where it has kept nothing, and how to keep it. */
export function useKept<Value>(of: unknown): readonly [Value | null, (value: Value) => void] {
  const client = useClient();
  const [kept] = useState(() => keptHere(client));
  const [value] = useState(() => (kept.get(of) ?? null) as Value | null); // as: each page keeps one kind under a name
  return [value, useCallback((next: Value) => void kept.set(of, next), [kept, of])];
}

interface Made<Value> {
  readonly by: string;
  readonly value: Value;
}

/** A value that is made anew when what it is made by changes, such as a time that moves on; who comes back finds it as it was. */
export function useOnceHere<Value>(of: string, by: string, make: () => Value): Value {
  const [left, keep] = useKept<Made<Value>>(of);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is made is known by what it is made by
  const made = useMemo(() => (isFirst.current && left?.by === by ? left : { by, value: make() }), [by]);
  useEffect(() => {
    isFirst.current = false;
    keep(made);
  }, [keep, made]);
  return made.value;
}
