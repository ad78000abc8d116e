import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess } from '../house/end-process.ts';
import { killAtExit } from '../house/kill-at-exit.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What the neighbour sends: a small picture, one page of PDF, a body of more than a megabyte; and a look at `/livez`. */
export type Kind = 'small' | 'pdf' | 'large' | 'livez';

/** Milliseconds from one call to the next: many calls, for quantiles; or a few of each kind, for whether any fails. */
export const PACES = {
  measured: { small: 50, pdf: 1000, large: 2000, livez: 250 },
  watched: { small: 200, pdf: 800, large: 800, livez: 400 },
} as const satisfies Record<string, Readonly<Record<Kind, number>>>;
export type Pace = keyof typeof PACES;

/** A call that was made, and when (epoch ms). */
export interface Begun {
  readonly id: number;
  readonly at: number;
}

/** How long a call took, and its HTTP status, 0 without an answer. */
export interface Seen extends Begun {
  readonly kind: Kind;
  readonly ms: number;
  readonly status: number;
  readonly text?: string;
}

/** The calls that began within a span of time. */
export interface Window {
  /** In all, of every kind. */
  readonly calls: number;
  readonly errors: readonly Seen[];
  readonly p50Ms: Readonly<Record<Kind, number>>;
  readonly p99Ms: Readonly<Record<Kind, number>>;
  readonly longestMs: Readonly<Record<Kind, number>>;
}

/** The process of the innocent account, and what it has seen. */
export class Neighbour implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, Begun>();
  readonly #seen: Seen[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(url: string, apiKey: string, pace: Pace): Promise<Neighbour> {
    const child = spawn(process.execPath, ['test/neighbours/neighbour-process.ts', url, apiKey, pace], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    killAtExit(child);
    const neighbour = new Neighbour(child);
    const lines = createInterface({ input: child.stdout });
    await once(lines, 'line'); // it says `ready`
    lines.on('line', (line) => neighbour.#take(JSON.parse(line) as Begun | Seen)); // our own program's
    return neighbour;
  }

  /** Lets it go on for so long, and tells what came of the calls that began meanwhile, once all have ended. */
  async watch(ms: number): Promise<Window> {
    const from = Date.now();
    await sleep(ms);
    return this.since(from);
  }

  /** Whether a call has begun since then. */
  hasBegunSince(from: number): boolean {
    return [...this.#open.values(), ...this.#seen].some(({ at }) => at >= from);
  }

  /** What came of the calls that began since then: waits for those that are under way, none of which is patient for ever. */
  async since(from: number): Promise<Window> {
    const to = Date.now();
    const within = ({ at }: Begun) => at >= from && at < to;
    while ([...this.#open.values()].some(within)) await sleep(20);
    return windowOf(this.#seen.filter(within));
  }

  #take(line: Begun | Seen): void {
    if (!('status' in line)) {
      this.#open.set(line.id, line);
      return;
    }
    this.#open.delete(line.id);
    this.#seen.push(line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endProcess(this.#child, { signal: 'SIGKILL' });
  }
}

function windowOf(seen: readonly Seen[]): Window {
  const of = (pick: (sorted: readonly number[]) => number) => {
    const figures = { small: 0, pdf: 0, large: 0, livez: 0 };
    for (const kind of ['small', 'pdf', 'large', 'livez'] as const) {
      figures[kind] = pick(
        seen
          .filter((each) => each.kind === kind)
          .map(({ ms }) => ms)
          .toSorted((a, b) => a - b),
      );
    }
    return figures;
  };
  const quantile = (share: number) => (sorted: readonly number[]) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    calls: seen.length,
    errors: seen.filter(({ status }) => status !== 200),
    p50Ms: of(quantile(0.5)),
    p99Ms: of(quantile(0.99)),
    longestMs: of((sorted) => sorted.at(-1) ?? 0),
  };
}
