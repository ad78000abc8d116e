import { sum } from '../database/money.ts';
import { Attempt } from './attempt.ts';
import { callsOf, type EngineCall, providerCost } from './calls.ts';
import { isGood, type JudgedPage } from './judge-page.ts';
import { messageOf } from './page-notes.ts';

const SEVERITY = ['timeout', 'failed', 'unreadable', 'refused', 'empty', 'truncated'] as const;

/**
 * One attempt an engine: its calls, their usage as it came, and what they cost at the provider. `sold` says that good
 * pages of flat-priced engines are paid for by their price, whatever the provider bills for them.
 */
export function attemptsOf(
  pages: readonly JudgedPage[],
  context: { attemptIds: ReadonlyMap<string, string>; sold: boolean },
): Attempt[] {
  const engines = new Map<string, JudgedPage[]>();
  for (const page of pages) {
    const id = page.result.engine.id;
    engines.set(id, [...(engines.get(id) ?? []), page]);
  }
  return [...engines].map(([id, members], i) => attemptOf(id, i + 1, members, context));
}

function attemptOf(
  engineId: string,
  number: number,
  members: readonly JudgedPage[],
  { attemptIds, sold }: { attemptIds: ReadonlyMap<string, string>; sold: boolean },
): Attempt {
  const calls = callsOf(members);
  const isSold = (call: EngineCall) => sold && call.good > 0 && call.engine.tokenPrices === null;
  const costs = calls.map((call) => (isSold(call) ? 0n : providerCost(call)));
  const cost = sum(costs.map((known) => known ?? 0n));
  const last = calls.at(-1)?.reading;
  const bad = members.find(({ verdict }) => !isGood(verdict));
  const attempt = new Attempt();
  attempt.id = attemptIds.get(engineId) ?? '';
  attempt.number = number;
  attempt.engine = engineId;
  attempt.outcome = worstOf(members);
  attempt.providerLatencyMs = calls.reduce((total, { latencyMs }) => total + latencyMs, 0);
  attempt.pages = members.filter(({ verdict }) => isGood(verdict)).length;
  attempt.billing = costs.includes(null) ? 'pending' : cost > 0n ? 'settled' : 'none';
  attempt.cost = cost;
  attempt.usage = calls.some(({ reading }) => reading.usage)
    ? calls.map(({ reading }) => reading.usage?.raw ?? null)
    : null;
  attempt.providerRequestId = last?.providerRequestId ?? null;
  attempt.modelVersion = last?.modelVersion ?? null;
  attempt.message = bad ? messageOf(bad, members.length) : null;
  return attempt;
}

function worstOf(members: readonly JudgedPage[]): string {
  const kinds = new Set<string>(members.map(({ verdict }) => verdict.kind));
  return SEVERITY.find((kind) => kinds.has(kind)) ?? 'ok';
}
