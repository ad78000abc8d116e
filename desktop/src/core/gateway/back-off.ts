const FIRST_MS = 500;
const MOST_MS = 15_000;

/** How long to wait before attempt `failures` + 1: doubled each time, capped, and not the same for every console. */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(full * (0.75 + random() / 4));
}
