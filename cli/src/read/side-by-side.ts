/**
 * Works on items, `atOnce` at a time, until none are left or `isOver` says so. An error ends only the worker that met it; the
 * others go on through the items. The first error is thrown when all have ended.
 */
export async function sideBySide<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const left = items.values();
  const workOn = async () => {
    for (const item of left) {
      if (isOver()) return;
      await work(item);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
