import { failureCost, successCost } from '../../billing/charge.ts';
import { adapterOf } from '../../engines/adapters/registry.ts';
import type { Engine, Reading } from '../../engines/model/engine.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { isGood, type JudgedPage } from './judge-page.ts';

/** One call of an engine with the pages it read. */
export interface EngineCall {
  readonly engine: Engine;
  readonly reading: Reading;
  readonly pages: readonly JudgedPage[];
  readonly latencyMs: number;
  /** How many of its pages are good (`isGood`). */
  readonly good: number;
}

/** The calls behind pages: a call that read several pages counts once. */
export function callsOf(pages: readonly JudgedPage[]): EngineCall[] {
  const groups = new Map<Reading, JudgedPage[]>();
  for (const page of pages) groups.set(page.result.reading, [...(groups.get(page.result.reading) ?? []), page]);
  return [...groups].map(([reading, members]) => {
    const { engine, latencyMs } = (members[0] as JudgedPage).result; // a group has a member
    const good = members.filter(({ verdict }) => isGood(verdict)).length;
    return { engine, reading, pages: members, latencyMs, good };
  });
}

/** The provider's cost of a call whose pages are not charged; null where the provider has not reported it. */
export function providerCost(call: EngineCall): NanoUsd | null {
  const local = adapterOf(call.engine).local;
  return failureCost({ ...call.engine, local }, call.reading, call.pages.length);
}

/**
 * What a call costs the caller where its good pages are charged: their page price, or its tokens; null where these are
 * unknown.
 */
export function soldCost(call: EngineCall): NanoUsd | null {
  if (call.good === 0) return providerCost(call);
  return successCost(call.engine, [call.reading], call.good) ?? providerCost(call);
}
