import { inject } from 'vitest';
import { House, type HouseOptions, LOOPBACK_ALLOWED, openOwnHouse } from './house.ts';
import type { ProductProcess } from './product.ts';

/** Outlives the files that use it. */
class SharedHouse extends House<ProductProcess> {
  override async [Symbol.asyncDispose](): Promise<void> {}
}

const KINDS = {
  /** As `openHouse()` opens it. */
  usual: {},
  /**
   * Documents may come from this machine, and beside the reader there are engines that differ in one thing each. Some have no
   * probes, so that the last call that they got is a test's.
   */
  several: {
    engines: {
      reader: {},
      other: { price_per_page_usd: 0.02 },
      cheap: { price_per_page_usd: 0.000_000_001 },
      costless: { provider_cost_per_page_usd: 0 },
      dear: { provider_cost_per_page_usd: 0.05 },
      silent: { provider_cost_per_page_usd: null },
      brief: { timeout_ms: 500 },
      whole: { native_pdf: true },
      wider: { native_allow: ['vendor'] },
      easyocr: { adapter: 'easyocr', probe: false },
      paddle: { adapter: 'paddle', probe: false },
    },
    env: LOOPBACK_ALLOWED,
  },
} as const satisfies Record<string, HouseOptions>;

type Kind = keyof typeof KINDS;

const opened = new Map<Kind, Promise<SharedHouse>>();

/**
 * One house for all files of a process that ask for its kind: a start costs more than most of their tests. For files that
 * look at what is their own accounts' and leave the product as they found it; it ends with the run.
 */
export async function sharedHouse(kind: Kind = 'usual'): Promise<SharedHouse> {
  const opening = opened.get(kind) ?? open(KINDS[kind]);
  opened.set(kind, opening);
  const house = await opening;
  house.engines.reset();
  return house;
}

async function open(options: HouseOptions): Promise<SharedHouse> {
  const house = await openOwnHouse(options);
  await fetch(new URL('left', inject('clusterDesk')), { method: 'POST', body: String(house.product.pid) });
  return new SharedHouse(house);
}
