/**
 * Works on items, `atOnce` at a time, until none are left, `isOver` says so, or one has failed. What runs then is let end. The
 * first error is thrown when all have ended.
 */
export async function sideBySide<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const left = items.values();
  const errors: unknown[] = [];
  const workOn = async () => {
    for (const item of left) {
      if (isOver() || errors.length > 0) return;
      await work(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  if (errors.length > 0) throw errors[0];
}
