interface Failed {
  readonly receiver: string;
}

/** The receivers of these webhooks with how many each has not taken, the worst first. */
export function receiversOf(failed: readonly Failed[]): ReadonlyArray<readonly [receiver: string, count: number]> {
  const counts = new Map<string, number>();
  for (const { receiver } of failed) counts.set(receiver, (counts.get(receiver) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, other]) => other - many || a.localeCompare(b));
}

/** Parts of a list, each of so many at most. */
export function chunks<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, index) =>
    list.slice(index * most, (index + 1) * most),
  );
}
