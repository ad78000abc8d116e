import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/measure.ts';
import type { Product } from '../house/product.ts';
import type { Attack } from './attack.ts';
import type { Window } from './neighbour.ts';
import type { Site } from './site.ts';

export interface TrialReport {
  readonly attack: Attack;
  /** What the neighbour saw before the attack, and while it went on. */
  readonly quiet: Window;
  readonly during: Window;
  /**
   * Resident memory of the product; null without /proc. The middle of the quiet time before, the most during the attack, and
   * the middle of the second half of the rest after it: a single look says where between two collections a process stood.
   */
  readonly memoryMb: { readonly before: number; readonly peak: number; readonly after: number } | null;
  /** The process that was attacked is still there. */
  readonly survived: boolean;
}

export interface TrialOptions {
  readonly quietMs: number;
  readonly attackMs: number;
  readonly restMs: number;
}

const LOOK_MS = 250;
const LATE_MS = 10_000;

/** One attack, alone, with the neighbour at work before and during it. */
export async function tryAttack(site: Site, attack: Attack, options: TrialOptions): Promise<TrialReport> {
  const { product, neighbour, target } = site;
  const [quiet, before] = await Promise.all([neighbour.watch(options.quietMs), looksFor(product, options.quietMs)]);
  const stop = new AbortController();
  const attacking = attack.run(target, stop.signal);
  const looking = looksUntil(product, stop.signal);
  const from = Date.now();
  await sleep(options.attackMs);
  // On a busy machine the neighbour itself may not have had its turn yet.
  for (let waited = 0; waited < LATE_MS && !neighbour.hasBegunSince(from); waited += LOOK_MS) await sleep(LOOK_MS);
  stop.abort();
  // The calls that began under attack are waited for: one that is never answered counts as an error.
  const during = await neighbour.since(from);
  const [looks] = await Promise.all([looking, attacking]);
  await sleep(options.restMs / 2);
  const after = await looksFor(product, options.restMs / 2);
  return {
    attack,
    quiet,
    during,
    memoryMb: memoryOf(before, looks, after),
    survived: product.running,
  };
}

/** Looks at the product's memory: the first at once, and then for so long. */
async function looksFor(product: Product, ms: number): Promise<number[]> {
  return looksUntil(product, AbortSignal.timeout(Math.max(1, ms)));
}

async function looksUntil(product: Product, signal: AbortSignal): Promise<number[]> {
  const looks: number[] = [];
  do {
    const mb = await product.residentMb();
    if (mb !== null) looks.push(mb);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted);
  return looks;
}

function memoryOf(before: number[], during: number[], after: number[]): TrialReport['memoryMb'] {
  if (before.length === 0 || after.length === 0) return null;
  return { before: median(before), peak: Math.max(...before, ...during), after: median(after) };
}

/** What nobody may feel of an attack, whatever the machine: one sentence for each thing that does not hold. */
export function broken({ attack, during, survived }: TrialReport): string[] {
  const said = during.errors.map(({ kind, status, text }) => `${kind}: HTTP ${status} ${text ?? ''}`);
  return [
    ...(survived ? [] : [`${attack.name}: the process ended`]),
    ...[...new Set(said)].slice(0, 5).map((what) => `${attack.name}: the neighbour was told ${what}`),
    ...(during.calls > 0 ? [] : [`${attack.name}: the neighbour sent nothing`]),
  ];
}
