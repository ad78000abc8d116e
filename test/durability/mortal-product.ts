import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessOptions, type ProductProcess, startProduct } from '../house/product.ts';
import { type Absence, Mortal } from './mortal.ts';

/** What it needs may be away for as long as a run lets it. */
const START_LIMIT_MS = 150_000;

/** A process of the product that an operator's supervisor starts again, with the same settings, whenever it ends. */
export interface MortalProduct extends AsyncDisposable {
  readonly mortal: Mortal;
  readonly current: ProductProcess;
  /** Stops it as an operator does, and starts it again; its next life has this `FAULT`. Answers how long it took to stop. */
  restart(fault: string): Promise<Absence>;
}

/** `fault` is where its first life ends. */
export async function startMortalProduct({
  fault,
  ...options
}: ProcessOptions & { fault?: string }): Promise<MortalProduct> {
  let current = await startInTime({ ...options, env: { ...options.env, FAULT: fault ?? '' } });
  let disposed = false;
  const kind = options.role === undefined || options.role === 'main' ? 'all-in-one' : options.role;
  const mortal = new Mortal(kind, {
    kill: () => current.kill(),
    revive: async () => {
      await current[Symbol.asyncDispose]();
      current = await startInTime(options);
      if (disposed) await current[Symbol.asyncDispose]();
    },
  });
  return {
    mortal,
    get current() {
      return current;
    },
    async restart(next) {
      const from = Date.now();
      await current[Symbol.asyncDispose]();
      const until = Date.now();
      current = await startInTime({ ...options, env: { ...options.env, FAULT: next } });
      return { from, until };
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await current[Symbol.asyncDispose]();
    },
  };
}

let line: Promise<unknown> = Promise.resolve();

/** Products of one test start one after the other: side by side on a busy machine none of them is ready in time. */
function startInTime(options: ProcessOptions): Promise<ProductProcess> {
  const started = line.then(() => tryToStart(options));
  line = started.catch(() => undefined);
  return started;
}

/** What it needs may be dead as well at this moment. */
async function tryToStart(options: ProcessOptions): Promise<ProductProcess> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      return await startProduct(options);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}
