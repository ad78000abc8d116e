/** Refusals of one window that are answered at once: more than a client makes that heeds any of them. */
const AT_ONCE = 100;
const DELAY_MS = 1000;

/**
 * How long the answer to a refused call is held back. Who goes on calling without a pause, over many connections, is then
 * answered once a second on each: refusing is cheap, but not as often as a program can ask.
 */
export function refusalDelayMs(refusalsOfWindow: number): number {
  return refusalsOfWindow > AT_ONCE ? DELAY_MS : 0;
}
