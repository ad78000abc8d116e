import { performance } from 'node:perf_hooks';
import { hasYoungCall } from './young-calls.ts';

/** For so long work is done in one go: a call of somebody else meets several such slices on its way. */
const SLICE_MS = 3;
/** How often it is looked whether others have nothing to do, and for how long at most they are waited for. */
const LOOK_MS = 1;
const PATIENCE_MS = 15;
/** What looking itself takes. */
const NOTHING_MS = 0.15;
/** For so long after that the next ones look for one turn of the event loop, unless one of them finds something. */
const CALM_MS = 20;

interface Waiting {
  readonly go: () => void;
  /** When its work began. */
  readonly sinceMs: number;
}

const waiting: Waiting[] = [];
let calmUntilMs = 0;

/**
 * Long work that lets others go first: in slices of some milliseconds, one after the other, however many do such work side by
 * side, each when nothing else is to be done, or others have had their time.
 */
export class Slices {
  readonly #begunMs = performance.now();
  #sinceMs = this.#begunMs;

  /** Whether it is the turn of others. */
  get isOver(): boolean {
    return performance.now() - this.#sinceMs >= SLICE_MS;
  }

  /** Resolves when the next slice begins. */
  async next(): Promise<void> {
    await nextTurn(this.#begunMs);
    this.#sinceMs = performance.now();
  }

  /** Does work that yields now and then. */
  async run<T>(work: Generator<void, T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      if (this.isOver) await this.next();
    }
  }
}

/** Does the same work at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function nextTurn(sinceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push({ go: resolve, sinceMs }) === 1) afterOthers(sinceMs);
  });
}

function advance(): void {
  waiting.shift()?.go();
  const [next] = waiting;
  // What has waited works on in the microtasks before this.
  if (next) setImmediate(() => afterOthers(next.sinceMs));
}

/**
 * Once the event loop has had nothing else to do: a call that is under way ends first, whatever it waits for in between. Where
 * nobody calls, a timer for each slice would take as long as the slices.
 */
function afterOthers(sinceMs: number, untilMs = performance.now() + PATIENCE_MS): void {
  const isCalm = performance.now() < calmUntilMs;
  const before = performance.eventLoopUtilization();
  const look = () => {
    const nowMs = performance.now();
    const isIdle = performance.eventLoopUtilization(before).active < NOTHING_MS && !hasYoungCall(nowMs, sinceMs);
    if (!isIdle) calmUntilMs = 0;
    else if (!isCalm) calmUntilMs = nowMs + CALM_MS;
    if (isIdle || nowMs >= untilMs) advance();
    else afterOthers(sinceMs, untilMs);
  };
  if (isCalm) setImmediate(look);
  else setTimeout(look, LOOK_MS);
}
