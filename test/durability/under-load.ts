import { SeededRandom } from '../house/seeded-random.ts';
import { DatabaseAway, WAYS, type Way } from './faults/database-away.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from './faults/fault.ts';
import { Frozen } from './faults/frozen.ts';
import { HeldLoop } from './faults/held-loop.ts';
import { Kills } from './faults/kills.ts';
import { LostAnswers } from './faults/lost-answers.ts';
import { strikeAtRandom } from './faults/strike.ts';
import { unheardStops } from './faults/unheard-stops.ts';
import type { Evidence } from './invariants.ts';
import { Load } from './load.ts';
import type { Mortal } from './mortal.ts';
import type { Killed } from './paid-calls.ts';
import { openSite, type Site } from './site.ts';
import { Trial } from './trial.ts';

export interface RunOptions {
  readonly seed: number;
  /** How long faults strike; the last one may take longer. */
  readonly seconds: number;
  readonly redis: boolean;
  readonly faults: readonly FaultKind[];
  /** How the database leaves; in each way by turns when not given. */
  readonly ways?: readonly Way[];
  /** How long it is away. */
  readonly awaySeconds?: readonly [least: number, most: number];
  readonly holdMs?: number;
}

export interface RunReport {
  readonly evidence: Evidence;
  readonly faults: readonly Fault[];
  readonly mortals: readonly Mortal[];
  /** What does not hold. */
  readonly broken: readonly string[];
  /** What the processes that were alive at the end had logged, where something is broken. */
  readonly logs: string;
}

const HOLD_MS = 30_000;
/** Around the time of a lease and of what follows its end. */
const FROZEN_S = [6, 20] as const;
const LEAST_AWAY_S = 5;
const MOST_AWAY_S = 90;

/** Mixed load while faults strike; then what is left is judged. */
export async function runUnderLoad(options: RunOptions): Promise<RunReport> {
  const { seed, seconds, faults: kinds } = options;
  const holds = kinds.includes('held-loop');
  const outside = kinds.some((kind) => kind !== 'kills');
  await using site = await openSite({ redis: options.redis, outside, holds });
  await using trial = await Trial.open(site);
  const { client, receiver } = trial;
  const faults = kinds.map((kind) => open(kind, site, options));
  const load = new Load({ client, receiver, random: new SeededRandom(seed) }, { timeouts: !holds });
  await strikeAtRandom(faults, new SeededRandom(seed + 1), seconds);
  await load.finish();
  const ended = site.products.filter(({ current }) => !current.running);
  const { evidence, broken: found } = await trial.judge(load.sent, killedBy(faults));
  const broken = [
    ...ended.map(({ mortal }) => `the process ${mortal.kind} ended without having been killed`),
    ...faults.flatMap(({ kind, missed }) => missed.map((what) => `no blow of ${kind} has hit ${what}`)),
    ...load.broken,
    ...found,
  ];
  return { evidence, faults, broken, mortals: site.mortals, logs: broken.length > 0 ? site.logs() : '' };
}

function open(kind: FaultKind, site: Site, options: RunOptions): Fault {
  const random = new SeededRandom(options.seed + 2 + FAULT_KINDS.indexOf(kind));
  switch (kind) {
    case 'kills':
      return new Kills(site.mortals, random);
    case 'database-away':
      return new DatabaseAway({
        ...outsideOf(site),
        random,
        ways: options.ways ?? rotated(WAYS, options.seed),
        seconds: options.awaySeconds ?? [
          LEAST_AWAY_S,
          Math.max(LEAST_AWAY_S, Math.min(MOST_AWAY_S, options.seconds / 4)),
        ],
      });
    case 'lost-answers':
      return new LostAnswers(outsideOf(site).proxy, random);
    case 'held-loop': {
      const products = site.products.filter(({ mortal }) => mortal.kind !== 'api');
      return new HeldLoop({ products, random, holdMs: options.holdMs ?? HOLD_MS });
    }
    case 'frozen':
      return new Frozen({ products: site.products, random, seconds: FROZEN_S });
  }
}

function outsideOf({ outside }: Site) {
  if (!outside) throw new Error('the database of this site is inside of the product');
  return outside;
}

/** Short runs of other seeds begin with another one. */
function rotated<T>(values: readonly T[], by: number): T[] {
  const at = by % values.length;
  return [...values.slice(at), ...values.slice(0, at)];
}

/**
 * What was told to stop while the database was away could not give back what it held: to the others it has died, as what stood
 * still has.
 */
function killedBy(faults: readonly Fault[]): Killed {
  const kills = faults.find(({ kind }) => kind === 'kills')?.blows ?? [];
  const stoodStill = faults.some(({ kind, blows }) => kind === 'frozen' && blows.length > 0);
  const isKilled = kills.some((blow) => blow !== 'postgres' && blow !== 'redis');
  return {
    product: isKilled || stoodStill || unheardStops(faults).length > 0,
    crashes: faults.flatMap(({ crashes }) => crashes),
  };
}
