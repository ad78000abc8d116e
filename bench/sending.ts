import { interleave, type Pair } from './measure.ts';
import { cpuMs } from './process-figures.ts';
import type { LoadReport } from './processes/load.ts';
import type { Stage, Target } from './stage.ts';

/** A noise picture of this size is about 11 kB, its body about 15 kB. */
export const SMALL = { width: 61, height: 61 };
/** The compilers of both sides need some ten thousand requests before their figures stay. */
export const WARM_UP_ROUNDS = 4;
export const REQUESTS_PER_SECOND = { unit: 'requests/s', better: 'more' } as const;
export const MILLISECONDS = { unit: 'ms', better: 'less', bar: null } as const;

/** One of two that are compared. */
interface Side {
  readonly stage: Stage;
  readonly target: Target;
}

export interface Sides {
  readonly ours: Side;
  readonly anchor: Side;
}

interface Order {
  readonly clients: number;
  readonly seconds: number;
  readonly bodyFile: string;
}

export interface Measured extends LoadReport {
  readonly cpuMsEach: number;
}

/** `POST /v1/ocr` at both sides, by turns. */
export function sendToBoth({ ours, anchor }: Sides, rounds: number, order: Order): Promise<Pair<Measured>[]> {
  return interleave(
    rounds,
    () => send(ours, order),
    () => send(anchor, order),
  );
}

async function send({ stage, target }: Side, order: Order): Promise<Measured> {
  const before = cpuMs(target.pid);
  const report = await stage.load(target, { ...order, paths: ['/v1/ocr'] });
  return { ...report, cpuMsEach: (cpuMs(target.pid) - before) / report.answers };
}
