import { cappedCharge, type FundsNeeded, fundsNeeded, worstCase, worstPage } from '../../billing/charge.ts';
import { type BudgetLeft, beyondBudget, fitsBudget } from '../../billing/limits/key-budgets.ts';
import { adapterOf } from '../../engines/adapters/registry.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { untakenScans } from '../../engines/model/takes.ts';
import { AppError } from '../../platform/errors.ts';
import { toUsd } from '../../platform/money.ts';
import { counted } from '../../platform/numbers/counted.ts';
import { maxCostOf } from '../model/effective.ts';
import { type Understood } from '../model/input/understand.ts';
import { handsScansOn } from '../run/read-request.ts';
import type { Funds } from '../store/accept/accept.ts';
import type { Acceptance } from '../store/accept/acceptance.ts';

/**
 * What accepting a request needs. With `max_cost_usd` a token-priced request holds its worst cost, but no more than that limit.
 */
export function holdOf(understood: Understood): FundsNeeded {
  const { engine, effective, pages } = understood;
  const scans = scansReaderOf(understood);
  const usual = fundsNeeded(engine, scans, pages);
  const cap = maxCostOf(effective);
  if (cap === null || !usual.tokenPriced) return usual;
  const worst = worstCase(withLocality(scans ? [engine, scans] : [engine]), pages) ?? cap;
  return { ...usual, hold: cappedCharge(worst, cap) };
}

/** The engine that scanned pages are handed to; null where only the engine itself reads, and where the other one takes none. */
export function scansReaderOf(understood: Understood): Engine | null {
  const reader = namedScansReader(understood);
  return reader && untakenScans(reader, 1) === null ? reader : null;
}

/** The engine that the request names for scanned pages of its PDF, whether it takes them or not. */
export function namedScansReader({ engine, effective, fallbackEngine }: Understood): Engine | null {
  return handsScansOn(engine) && effective.scannedHandling === 'fallback' ? fallbackEngine : null;
}

/**
 * Throws `budget_exceeded` for a request that cannot be kept within its `max_cost_usd`, and `invalid_request` where
 * nobody knows whether it can. A whole document in one call cannot be cut short: all of its pages have to fit.
 */
export function requireWithinCap(understood: Understood): void {
  const { engine, effective, pages } = understood;
  const cap = maxCostOf(effective);
  if (cap === null) return;
  const scans = scansReaderOf(understood);
  for (const reader of scans ? [engine, scans] : [engine]) {
    const page = worstPage(reader);
    if (page === null) {
      throw new AppError(
        'invalid_request',
        `max_cost_usd: engine "${reader.id}" has no known worst cost, so the limit cannot be kept.`,
      );
    }
    const atOnce = reader.tokenPrices && !reader.nativePdf ? 1 : pages;
    const least = page * BigInt(atOnce);
    if (least > cap) throw beyondCap(least, cap, atOnce);
  }
}

function beyondCap(least: bigint, cap: bigint, pages: number): AppError {
  return new AppError(
    'budget_exceeded',
    `${counted(pages, 'page')} may cost ${toUsd(least)} USD, and max_cost_usd is ${toUsd(cap)}. Nothing ran; raise it or ask for fewer pages.`,
  );
}

/** Engines for `worstCase`, each with whether it runs on this machine. */
export function withLocality(engines: readonly Engine[]): (Engine & { local: boolean })[] {
  return engines.map((engine) => ({ ...engine, local: adapterOf(engine).local }));
}

/**
 * Throws where the money does not suffice now. Acceptance decides it again, under the wallet's lock. `budget`: the key's
 * limit, or null.
 */
export function requireFunds(wanted: FundsNeeded, { available, owed }: Funds, budget: BudgetLeft | null): void {
  const { hold, tokenPriced } = wanted;
  if (tokenPriced && owed > 0n) throw insufficient('owed', hold, available);
  if (hold > available) throw insufficient('balance', hold, available);
  if (budget && !fitsBudget(budget, wanted)) throw beyondBudget(budget, hold);
}

/** The error of a refused acceptance. */
export function refusalOf(refused: Acceptance & { kind: 'refused' }, hold: bigint): AppError {
  if (refused.reason === 'closed') {
    return new AppError('authentication_error', 'The account has come to its end: nothing of it is taken in any more.');
  }
  if (refused.reason === 'limit') return beyondBudget(refused.budget, hold);
  return insufficient(refused.reason, hold, refused.available);
}

/** Why an account cannot pay for a request, and what would help. */
function insufficient(reason: 'balance' | 'owed', hold: bigint, available: bigint): AppError {
  if (reason === 'owed') {
    return new AppError(
      'insufficient_balance',
      'An amount is owed; token-priced engines are blocked until a top-up covers it.',
    );
  }
  return new AppError(
    'insufficient_balance',
    `The request needs ${toUsd(hold)} USD and ${toUsd(available)} USD are available. Add credit, then send it again.`,
  );
}
