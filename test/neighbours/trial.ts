import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Window } from './neighbour.ts';
import type { Site } from './site.ts';

export interface TrialReport {
  readonly attack: Attack;
  /** What the neighbour saw before the attack, and while it went on. */
  readonly quiet: Window;
  readonly during: Window;
  /** Resident memory of the product: before, the most during the attack, and a while after it; null without /proc. */
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
  const quiet = await neighbour.watch(options.quietMs);
  const before = await product.residentMb();
  let peak = before ?? 0;
  const stop = new AbortController();
  const attacking = attack.run(target, stop.signal);
  const looking = (async () => {
    while (!stop.signal.aborted) {
      peak = Math.max(peak, (await product.residentMb()) ?? 0);
      await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  const from = Date.now();
  await sleep(options.attackMs);
  // On a busy machine the neighbour itself may not have had its turn yet.
  for (let waited = 0; waited < LATE_MS && !neighbour.hasBegunSince(from); waited += LOOK_MS) await sleep(LOOK_MS);
  stop.abort();
  // The calls that began under attack are waited for: one that is never answered counts as an error.
  const during = await neighbour.since(from);
  await Promise.all([attacking, looking]);
  await sleep(options.restMs);
  const after = await product.residentMb();
  return {
    attack,
    quiet,
    during,
    memoryMb: before === null || after === null ? null : { before, peak, after },
    survived: product.running,
  };
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
