import { bothOverruns, isCredible, ODD_USAGE, type TokenOverrun, tokenOverrun } from '../../billing/charge.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import { quotesOf } from '../../engines/model/reading.ts';
import { sum } from '../../platform/money.ts';
import { Attempt, type AttemptOutcome } from '../model/attempt.ts';
import { sentences } from '../model/sentences.ts';
import { callsOf, type EngineCall, providerCost, soldCost } from './calls.ts';
import { isGood, isUncalled, type JudgedPage, type Verdict } from './judge-page.ts';
import { messageOf } from './page-notes.ts';
import { quoteAt } from './unquoted.ts';

const SEVERITY = ['timeout', 'failed', 'rejected', 'unreadable', 'refused', 'empty', 'truncated', 'cancelled'] as const;

/** In the order of the pages: sentences about a request are of the first pages that failed, and fewer. */
const MOST_QUOTES = 100;

/**
 * One attempt for each engine: its calls, their usage as it came, and their cost. `sold`: whether good pages are charged. Those of
 * an engine with a page price then have no cost here, whatever the provider bills for them.
 */
export function attemptsOf(
  pages: readonly JudgedPage[],
  context: { attemptIds: ReadonlyMap<string, string>; sold: boolean },
): Attempt[] {
  const engines = new Map<string, JudgedPage[]>();
  for (const page of pages) {
    if (isUncalled(page.verdict)) continue; // no call, no attempt
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
  const isPricedByPage = (call: EngineCall) => call.good > 0 && call.engine.tokenPrices === null;
  const soldAs = (call: EngineCall) => (isPricedByPage(call) ? 0n : soldCost(call));
  const costs = calls.map((call) => (sold ? soldAs(call) : providerCost(call)));
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
  attempt.pagesTried = members.length;
  attempt.billing = costs.includes(null) ? 'pending' : cost > 0n ? 'settled' : 'none';
  attempt.cost = cost;
  attempt.usage = calls.some(({ reading }) => reading.usage)
    ? calls.map(({ reading }) => reading.usage?.raw ?? null)
    : null;
  attempt.providerRequestId = last?.providerRequestId ?? null;
  attempt.modelVersion = last?.modelVersion ?? null;
  attempt.isUsageDoubted = calls.some(({ engine, reading }) => engine.tokenPrices && !isCredible(reading));
  attempt.overrun = overrunOf(calls);
  const odd = attempt.isUsageDoubted ? ODD_USAGE : null;
  const message = bad ? messageOf(bad, members.length) : null;
  attempt.providerFault = members.map(({ verdict }) => faultOf(verdict)).find((fault) => fault !== null) ?? null;
  attempt.quotes = [...new Set(calls.flatMap(({ reading }) => quotesOf(reading)))].slice(0, MOST_QUOTES);
  attempt.message = message || odd ? sentences([message ?? '', odd ?? '']) : null;
  attempt.quoteAt = quoteAt(attempt);
  return attempt;
}

function overrunOf(calls: readonly EngineCall[]): TokenOverrun | null {
  const overruns = calls.flatMap(({ engine, reading, pages }) => tokenOverrun(engine, reading, pages.length) ?? []);
  return overruns.length > 0 ? overruns.reduce(bothOverruns) : null;
}

function worstOf(members: readonly JudgedPage[]): AttemptOutcome {
  const kinds = new Set<string>(members.map(({ verdict }) => kindOf(verdict)));
  return SEVERITY.find((kind) => kinds.has(kind)) ?? 'ok';
}

function faultOf(verdict: Verdict): ProviderFault | null {
  return verdict.kind === 'failed' ? verdict.fault : null;
}

function kindOf(verdict: Verdict): string {
  return verdict.kind === 'failed' && verdict.byCaller ? 'rejected' : verdict.kind;
}
