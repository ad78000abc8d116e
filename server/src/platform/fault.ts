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
  'cancel-marked',
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Not a point at which a process dies: its event loop stands still, once, while an engine reads. */
export const STALL = 'stall';

/** Which passing of which point is the last thing that this process does; of `stall`, for how many milliseconds. */
export interface Fault {
  readonly point: FaultPoint | typeof STALL;
  readonly passing: number;
}

/** Until the engine has the call that was about to be made. */
const STALL_AFTER_MS = 500;

let armed: { point: Fault['point']; left: number } | null = null;

/** Null, as in every service that nobody tests, disarms. */
export function armFault(fault: Fault | null): void {
  armed = fault && { point: fault.point, left: fault.passing };
}

/** Nothing, unless a test wants this process to end here without a word. */
export function faultPoint(point: FaultPoint): void {
  if (armed === null) return;
  if (armed.point === STALL && point === 'before-engine-call') stall(armed.left);
  if (armed?.point !== point) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, 'SIGKILL');
}

function stall(durationMs: number): void {
  armed = null;
  const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setTimeout(() => Atomics.wait(clock, 0, 0, durationMs), STALL_AFTER_MS);
}
