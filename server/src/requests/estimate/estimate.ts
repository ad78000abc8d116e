import type { Caller } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { cappedCharge, worstCase } from '../../billing/charge.ts';
import { type BudgetLeft, fitsBudget, type KeyBudgets } from '../../billing/limits/key-budgets.ts';
import type { Balance, Wallets } from '../../billing/wallets.ts';
import type { Documents } from '../../documents/documents.ts';
import type { DocumentFetcher } from '../../documents/fetch.ts';
import { countText } from '../../documents/text-pages.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import { pageRanges } from '../../engines/model/page-ranges.ts';
import { untakenScans } from '../../engines/model/takes.ts';
import { AppError } from '../../platform/errors.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { maxCostOf } from '../model/effective.ts';
import { type Understood, understand } from '../model/input/understand.ts';
import type { OcrRequestInput } from '../model/ocr-request.input.ts';
import type { OpenDocument } from '../read/open-document.ts';
import { openDocument } from '../read/open-document.ts';
import { planPages } from '../read/plan-pages.ts';
import { handsScansOn, requireNoScans } from '../run/read-request.ts';
import { holdOf, namedScansReader, requireWithinCap, scansReaderOf, withLocality } from '../submit/funds.ts';
import type { Pressure } from '../submit/pressure.ts';
import { alternativesTo } from './alternatives.ts';
import { Estimate, type EstimateObstacle } from './estimate.type.ts';
import { type EstimatePlaces, makeEstimatePlaces } from './estimate-places.ts';

export interface EstimatesDeps {
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly documents: Documents;
  readonly fetcher: DocumentFetcher;
  readonly wallets: Pick<Wallets, 'balance'>;
  readonly budgets: Pick<KeyBudgets, 'of'>;
  readonly pressure: Pick<Pressure, 'requireMemory'>;
  readonly allowPrivateCidrs: readonly string[];
}

/** Says what requests would cost. A request is understood as acceptance understands it; nothing is reserved or stored. */
export class Estimates {
  readonly #deps: EstimatesDeps;
  readonly #placesOf = makeEstimatePlaces();

  constructor(deps: EstimatesDeps) {
    this.#deps = deps;
  }

  /** Throws what sending the request would answer, but nothing about money or about an engine that is away. */
  async estimate(
    caller: Caller,
    input: OcrRequestInput,
    { hangUp, sentDocuments }: Pick<Context, 'hangUp' | 'sentDocuments'>,
  ): Promise<Estimate> {
    const { catalogue, allowPrivateCidrs, pressure, wallets, budgets } = this.#deps;
    const understood = understand({ ...input, mode: 'sync', webhookUrl: undefined }, [], {
      catalogue,
      allowPrivateCidrs,
      sentDocuments,
    });
    input.input.dataBase64 = undefined; // decoded: the text need not stay in memory
    pressure.requireMemory();
    const [balance, budget] = await Promise.all([
      wallets.balance(caller.accountId),
      caller.hasBudget ? budgets.of(caller.keyId) : null,
    ]);
    const places = this.#placesOf(balance.posted > 0n);
    const opened = await this.#opened(understood, caller.accountId, places, hangUp?.());
    return this.#estimate(understood, opened, { balance, budget });
  }

  /** The document is let go of before anybody waits for the answer. */
  async #opened(
    understood: Understood,
    party: string,
    places: EstimatePlaces,
    hangUp: AbortSignal | undefined,
  ): Promise<Opened> {
    const { documents } = this.#deps;
    const { effective, engine } = understood;
    const bytes = understood.bytes ?? (await this.#fetched(effective.url ?? '', party, places, hangUp));
    using _permit = await places.opening.take(party, hangUp);
    const client = { party, signal: hangUp, opening: true };
    const document = await openDocument(documents, bytes, { effective, engine, client });
    const { format, pages } = document.inspection;
    const text = format === 'pdf' ? await countText(documents, bytes, pages, client) : null;
    return { inspection: document.inspection, text };
  }

  async #fetched(
    url: string,
    party: string,
    { fetching, fetchMs }: EstimatePlaces,
    hangUp: AbortSignal | undefined,
  ): Promise<Buffer> {
    using _permit = await fetching.take(party, hangUp);
    return await this.#deps.fetcher.fetch(url, hangUp, fetchMs);
  }

  #estimate(understood: Understood, { inspection, text }: Opened, { balance, budget }: Money): Estimate {
    const { availability, catalogue } = this.#deps;
    const { effective, engine, pages: billedPages, warnings } = understood;
    const plan = planPages(effective, engine.maxPagesPerRequest, inspection.pages);
    const scanned = text?.scanned.filter((page) => plan.run.includes(page)) ?? [];
    if (handsScansOn(engine)) requireNoScans(effective, scanned);
    const unread = unreadNotes(understood, { scanned, pages: plan.run.length });
    const overCap = capWarnings(understood);
    const wanted = holdOf(understood);
    const { hold, tokenPriced } = wanted;
    const isWithinLimit = overCap.length === 0 && (budget === null || fitsBudget(budget, wanted));
    const available = balance.posted - balance.held;
    const wholeText = plan.run.length === inspection.pages ? (text?.own ?? null) : null;
    const context = { effective, format: inspection.format, pages: billedPages, textPages: wholeText };
    return Object.assign(new Estimate(), {
      engine: engine.id,
      pagesTotal: inspection.pages,
      pages: plan.run.length,
      billedPages,
      reserved: hold,
      worstCase: this.#worstCase(understood),
      tokenPriced,
      textLayerPages: text?.own ?? null,
      scannedPages: text?.scanned.length ?? null,
      covered: hold <= available && isWithinLimit && !(tokenPriced && balance.owed > 0n),
      balance: available,
      budgetRemaining: budget && (budget.remaining > 0n ? budget.remaining : 0n),
      obstacle: this.#obstacle(understood),
      alternatives: alternativesTo(engine, context, { catalogue, availability }),
      warnings: [...warnings, ...inspection.warnings, ...plan.warnings, ...unread, ...overCap],
    });
  }

  /** Of the first of its engines that takes nothing now. */
  #obstacle({ engine, fallbackEngine }: Understood): EstimateObstacle | null {
    const { availability } = this.#deps;
    for (const reader of fallbackEngine ? [engine, fallbackEngine] : [engine]) {
      const code = availability.obstacle(reader);
      if (code) return { code, message: availability.describe(reader, code) };
    }
    return null;
  }

  /** With `max_cost_usd` no outcome costs more than that. */
  #worstCase(understood: Understood): NanoUsd | null {
    const { engine, effective, pages } = understood;
    const scans = scansReaderOf(understood);
    const alikes = effective.fallback === 'similar' ? this.#deps.catalogue.alikes(engine) : [];
    const worst = worstCase(withLocality([engine, ...(scans ? [scans] : []), ...alikes]), pages);
    const cap = maxCostOf(effective);
    return worst === null ? cap : cappedCharge(worst, cap);
  }
}

/**
 * Says which scanned pages `fallback_engine` does not take, as the request itself would. Throws `unprocessable_entity` where
 * those are all `pages`.
 */
function unreadNotes(
  understood: Understood,
  { scanned, pages }: { scanned: readonly number[]; pages: number },
): string[] {
  const scans = scanned.length > 0 ? namedScansReader(understood) : null;
  const objection = scans && untakenScans(scans, scanned.length);
  if (!objection) return [];
  if (scanned.length === pages) throw new AppError('unprocessable_entity', objection);
  const [which, verb] = scanned.length === 1 ? ['Page', 'is'] : ['Pages', 'are'];
  return [`${which} ${pageRanges(scanned)} ${verb} scanned and would not be read: ${objection}`];
}

/** A limit that the request would break is said, as everything about money is. */
function capWarnings(understood: Understood): string[] {
  try {
    requireWithinCap(understood);
    return [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'budget_exceeded') return [error.message];
    throw error;
  }
}

/** What the account has, and what is left of the key's limit; null where it has none. */
interface Money {
  readonly balance: Balance;
  readonly budget: BudgetLeft | null;
}

/** What stays of a document that was opened. */
interface Opened extends Pick<OpenDocument, 'inspection'> {
  readonly text: { readonly own: number; readonly scanned: readonly number[] } | null;
}
