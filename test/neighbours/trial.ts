import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/measure.ts';
import type { ProductProcess } from '../house/product.ts';
import type { Attack } from './attack.ts';
import type { Window } from './neighbour.ts';
import type { Site } from './site.ts';

export interface TrialReport {
  readonly attack: Pick<Attack, 'name' | 'finding'>;
  /** What the neighbour saw without an attack, and while it went on. */
  readonly quiet: Window;
  readonly during: Window;
  /**
   * Resident memory of the product; null without /proc. The middle of the quiet time before, the most during the attack, and
   * the middle of a time of the rest after it: a single look says where between two collections a process stood. With how long
   * after the attack that was.
   */
  readonly memoryMb: {
    readonly before: number;
    readonly peak: number;
    readonly after: number;
    readonly afterSeconds: number;
  } | null;
  /** What the attack met instead of what it is for; null where it met that. */
  readonly misses: string | null;
  /** The process that was attacked is still there. */
  readonly survived: boolean;
}

export interface TrialOptions {
  readonly quietMs: number;
  readonly attackMs: number;
  readonly restMs: number;
  /** What the neighbour sees without an attack; that of the quiet time when not given. */
  readonly quiet?: Window | undefined;
  /** Whether memory is back, so that the rest need not be waited for. */
  readonly isBack?: (beforeMb: number, nowMb: number) => boolean;
}

/** Not slow, but held up: many times what a small picture takes on a busy machine. */
const HELD_UP_MS = 20_000;
const LOOK_MS = 250;
const LATE_MS = 10_000;
/** So many looks at memory, one after the other, are a state that it has. */
const LOOKS = 20;

/** One attack, alone, with the neighbour at work before and during it. */
export async function tryAttack(site: Site, attack: Attack, options: TrialOptions): Promise<TrialReport> {
  const { product, neighbour } = site;
  const { isBack = () => false } = options;
  const [quiet, before] = await Promise.all([neighbour.watch(options.quietMs), looksFor(product, options.quietMs)]);
  const target = await site.newTarget();
  await attack.prepare?.(target);
  const stop = new AbortController();
  const attacking = attack.run(target, stop.signal).then(
    () => null,
    (error) => String(error),
  );
  const looking = looksUntil(product, stop.signal);
  const from = Date.now();
  await sleep(options.attackMs);
  // On a busy machine the neighbour itself may not have had its turn yet.
  for (let waited = 0; waited < LATE_MS && !neighbour.hasBegunSince(from); waited += LOOK_MS) await sleep(LOOK_MS);
  stop.abort();
  // The calls that began under attack are waited for: one that is never answered counts as an error.
  const during = await neighbour.since(from);
  const [looks, misses] = await Promise.all([looking, attacking]);
  const beforeMb = before.length > 0 ? median(before) : 0;
  const rest = AbortSignal.timeout(Math.max(1, options.restMs));
  const ended = performance.now();
  const after = await looksUntil(product, rest, (last) => last.length === LOOKS && isBack(beforeMb, median(last)));
  return {
    attack: { name: attack.name, finding: attack.finding },
    quiet: options.quiet ?? quiet,
    during,
    memoryMb: memoryOf(before, looks, after, (performance.now() - ended) / 1000),
    misses,
    survived: product.running,
  };
}

/** Looks at the product's memory: the first at once, and then for so long. */
async function looksFor(product: ProductProcess, ms: number): Promise<number[]> {
  return looksUntil(product, AbortSignal.timeout(Math.max(1, ms)));
}

async function looksUntil(
  product: ProductProcess,
  signal: AbortSignal,
  isEnough: (last: readonly number[]) => boolean = () => false,
): Promise<number[]> {
  const looks: number[] = [];
  do {
    const mb = await product.residentMb();
    if (mb !== null) looks.push(mb);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted && !isEnough(looks.slice(-LOOKS)));
  return looks;
}

function memoryOf(
  before: readonly number[],
  during: readonly number[],
  after: readonly number[],
  afterSeconds: number,
): TrialReport['memoryMb'] {
  if (before.length === 0 || after.length === 0) return null;
  const peak = Math.max(...before, ...during);
  return { before: median(before), peak, after: median(after.slice(-LOOKS)), afterSeconds };
}

/** What nobody may feel of an attack, whatever the machine: one sentence for each thing that does not hold. */
export function broken({ attack, during, misses, survived }: TrialReport): string[] {
  const said = during.errors.map(({ kind, status, text }) => `${kind}: HTTP ${status} ${text ?? ''}`);
  return [
    ...(survived ? [] : [`${attack.name}: the process ended`]),
    ...(misses ? [`${attack.name}: it met nothing: ${misses}`] : []),
    ...[...new Set(said)].slice(0, 5).map((what) => `${attack.name}: the neighbour was told ${what}`),
    ...(during.longestMs.small < HELD_UP_MS
      ? []
      : [`${attack.name}: the neighbour waited ${Math.round(during.longestMs.small)} ms for a small picture`]),
    ...(during.calls > 0 ? [] : [`${attack.name}: the neighbour sent nothing`]),
  ];
}
