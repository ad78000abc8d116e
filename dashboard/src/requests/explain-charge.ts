import { plural } from '@ocr-router/ui/format/count.ts';
import { exactMoney } from '@ocr-router/ui/format/money.ts';
import type { RequestQuery } from '../documents.generated.ts';

type Priced = Pick<
  RequestQuery['request'],
  | 'status'
  | 'cost'
  | 'pages'
  | 'pagesTotal'
  | 'hold'
  | 'finishedAt'
  | 'cancelledAt'
  | 'transfers'
  | 'pageResults'
  | 'attempts'
  | 'engine'
>;

/** Sums of dollars are exact to the nano-dollar but for what floating point does. */
const HALF_A_NANO = 5e-10;

export interface ChargeLine {
  readonly words: string;
  /** USD; null for a line that only explains. */
  readonly usd: number | null;
}

/** What was charged for a request, and given back, line by line; the amounts add up to what it cost in the end. */
export function explainCharge(request: Priced): readonly ChargeLine[] {
  const lines: ChargeLine[] = [];
  if (!request.finishedAt) {
    lines.push({
      words: `${exactMoney(request.hold)} is reserved while it runs; what it does not need is released.`,
      usd: null,
    });
  }
  for (const transfer of request.transfers) lines.push(...transferLines(transfer, request));
  const pending = request.attempts.filter(({ billing }) => billing === 'pending').length;
  if (pending > 0) {
    const words = `${plural(pending, 'attempt')} whose provider has not reported its cost yet, or not credibly; it may be charged later.`;
    lines.push({ words, usd: null });
  }
  const cancelled = cancelledWords(request);
  if (cancelled !== null) lines.push({ words: cancelled, usd: null });
  if (request.finishedAt && request.transfers.length === 0) lines.push({ words: freeWords(request), usd: 0 });
  return lines;
}

function transferLines({ kind, amount, debit }: Priced['transfers'][number], request: Priced): ChargeLine[] {
  const owed = debit === 'receivable' ? ' (owed)' : '';
  if (kind !== 'charge') {
    return [{ words: `${transferWords(kind, request)}${owed}`, usd: kind === 'refund' ? -amount : amount }];
  }
  const failedUsd = costOfFailedPages(request, amount);
  if (failedUsd === 0) return [{ words: `${chargeWords(request, amount)}${owed}`, usd: amount }];
  const readUsd = nanoExact(amount - failedUsd);
  return [
    { words: `${chargeWords(request, readUsd)}${owed}`, usd: readUsd },
    { words: `Pages that failed, at what their providers bill, without markup${owed}`, usd: failedUsd },
  ];
}

/** What a charge holds beside the prices of the pages that were read; 0 where pages have no prices, as by the token. */
function costOfFailedPages({ pageResults }: Priced, usd: number): number {
  const read = pageResults.filter(({ state }) => state !== 'failed');
  if (read.length === pageResults.length || !read.every(({ cost }) => cost > 0)) return 0;
  const restUsd = nanoExact(usd - read.reduce((sum, { cost }) => sum + cost, 0));
  return Math.max(0, restUsd);
}

function nanoExact(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

function transferWords(kind: string, request: Priced): string {
  if (kind === 'provider_cost') {
    const what = request.cancelledAt
      ? 'Attempts that failed or were under way when it was cancelled'
      : 'Failed attempts';
    return `${what}, at what their providers bill, without markup`;
  }
  if (kind === 'collected') return 'Owed at first, and paid later';
  if (kind === 'refund') return 'Given back';
  return kind;
}

/** `3 pages with tesseract at $0.001 each`; pages of different prices are listed as they are. */
function chargeWords({ pageResults, pages, pagesTotal, engine }: Priced, usd: number): string {
  const prices = new Map<string, { usd: number; engine: string; pages: number }>();
  for (const page of pageResults.filter(({ cost }) => cost > 0)) {
    const name = `${page.engine} ${page.cost}`;
    prices.set(name, { usd: page.cost, engine: page.engine, pages: (prices.get(name)?.pages ?? 0) + 1 });
  }
  const groups = [...prices.values()];
  const sum = groups.reduce((all, group) => all + group.usd * group.pages, 0);
  if (pages !== null && (groups.length === 0 || Math.abs(sum - usd) > HALF_A_NANO)) {
    const more = pagesTotal !== null && pages > pagesTotal ? `, as asked for: the document has ${pagesTotal}` : '';
    return `${plural(pages, 'page')} with ${engine}${more}`;
  }
  return groups
    .map((group) => {
      const each = group.pages > 1 ? ' each' : '';
      return `${plural(group.pages, 'page')} with ${group.engine} at ${exactMoney(group.usd)}${each}`;
    })
    .join(', ');
}

/** Of the pages that were not read any more; null where it was not cancelled, or no page was left. */
function cancelledWords({ cancelledAt, pageResults }: Priced): string | null {
  const left = pageResults.filter(({ code }) => code === 'cancelled').length;
  if (!cancelledAt || left === 0) return null;
  return `${plural(left, 'page')} not read when it was cancelled: no price is charged for ${left === 1 ? 'it' : 'them'}.`;
}

function freeWords({ status, attempts, cancelledAt }: Priced): string {
  if (cancelledAt && attempts.length === 0) return 'Cancelled before any engine ran: nothing is charged';
  if (status === 'rejected') return 'Rejected before any engine ran: nothing is charged';
  if (status === 'succeeded' || status === 'partial') return 'Read at no charge';
  if (attempts.length === 0) return 'No engine ran: nothing is charged';
  return 'The engine failed and its provider billed nothing: nothing is charged';
}
