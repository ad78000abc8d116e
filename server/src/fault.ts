/** Steps of a request's life behind which a test lets the process die. */
export const FAULT_POINTS = [
  'accepted',
  'before-engine-call',
  'after-engine-answer',
  'before-settle',
  'settled',
  'before-webhook',
  'after-webhook',
  'page-recorded',
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Which passing of which point is the last thing that this process does. */
export interface Fault {
  readonly point: FaultPoint;
  readonly passing: number;
}

let armed: { point: FaultPoint; left: number } | null = null;

/** Null, as in every service that nobody tests, disarms. */
export function armFault(fault: Fault | null): void {
  armed = fault && { point: fault.point, left: fault.passing };
}

/** Nothing, unless a test wants this process to end here without a word. */
export function faultPoint(point: FaultPoint): void {
  if (armed === null || armed.point !== point) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, 'SIGKILL');
}
