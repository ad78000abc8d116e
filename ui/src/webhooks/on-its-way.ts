/** A delivery is tried so often, then it is given up. */
export const MOST_ATTEMPTS = 4;

/** A line of the deliveries' log. */
export interface DeliveryEntry {
  readonly id: string;
  readonly status: string;
  readonly attempt: number;
  readonly createdAt: string;
}

/** Whether any of these deliveries will be tried, or tried again: the log has failed attempts, and is silent between two. */
export function isOnItsWay(log: readonly DeliveryEntry[]): boolean {
  const latest = new Map<string, DeliveryEntry>();
  for (const entry of log) {
    const known = latest.get(entry.id);
    if (known === undefined || entry.createdAt >= known.createdAt) latest.set(entry.id, entry);
  }
  return [...latest.values()].some(
    ({ status, attempt }) => status === 'pending' || (status === 'failed' && attempt > 0 && attempt < MOST_ATTEMPTS),
  );
}

const SOON_MS = 1500;
const LATER_MS = 15_000;
/** So many looks soon after each other: a receiver that answers has done so by then. */
const SOON_LOOKS = 40;

/** How long to wait for the next look, after so many of them. */
export function nextLookMs(looks: number): number {
  return looks < SOON_LOOKS ? SOON_MS : LATER_MS;
}
