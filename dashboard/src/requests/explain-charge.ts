import { plural } from '@ocr-router/ui/format/count.ts';
import { exactMoney } from '@ocr-router/ui/format/money.ts';
import type { RequestQuery } from '../documents.generated.ts';

type Priced = Pick<
  RequestQuery['request'],
  'status' | 'cost' | 'hold' | 'finishedAt' | 'transfers' | 'pageResults' | 'attempts' | 'engine'
>;

export interface ChargeLine {
  readonly words: string;
  /** USD; null for a line that only explains. */
  readonly usd: number | null;
}

/** What was charged for a request, line by line; the amounts add up to its cost. */
export function explainCharge(request: Priced): readonly ChargeLine[] {
  const lines: ChargeLine[] = [];
  if (!request.finishedAt) {
    lines.push({
      words: `${exactMoney(request.hold)} is reserved while it runs; what it does not need is freed.`,
      usd: null,
    });
  }
  for (const { kind, amount, debit } of request.transfers) {
    lines.push({ words: `${transferWords(kind, request)}${debit === 'receivable' ? ' (owed)' : ''}`, usd: amount });
  }
  const pending = request.attempts.filter(({ billing }) => billing === 'pending').length;
  if (pending > 0) {
    const words = `${plural(pending, 'attempt')} whose provider has not said yet what it cost; it may be charged later.`;
    lines.push({ words, usd: null });
  }
  if (request.finishedAt && request.transfers.length === 0) lines.push({ words: freeWords(request), usd: 0 });
  return lines;
}

function transferWords(kind: string, request: Priced): string {
  if (kind === 'charge') return chargeWords(request);
  if (kind === 'provider_cost') return 'What failed, at what its provider bills, without markup';
  if (kind === 'collected') return 'Paid later of what was owed for it';
  return kind;
}

/** `3 pages with tesseract at $0.001 each`; pages of different prices are listed as they are. */
function chargeWords({ pageResults, engine }: Priced): string {
  const paid = pageResults.filter(({ cost }) => cost > 0);
  const prices = new Map<string, { usd: number; engine: string; pages: number }>();
  for (const page of paid) {
    const group = prices.get(`${page.engine} ${page.cost}`) ?? { usd: page.cost, engine: page.engine, pages: 0 };
    prices.set(`${page.engine} ${page.cost}`, { ...group, pages: group.pages + 1 });
  }
  if (prices.size === 0) return `Read with ${engine}`;
  const words = [...prices.values()].map(
    (group) =>
      `${plural(group.pages, 'page')} with ${group.engine} at ${exactMoney(group.usd)}${group.pages > 1 ? ' each' : ''}`,
  );
  return words.join(', ');
}

function freeWords({ status, attempts }: Priced): string {
  if (status === 'rejected') return 'Rejected before any engine ran: nothing is charged';
  if (status === 'succeeded' || status === 'partial') return 'Read at no charge';
  if (attempts.length === 0) return 'No engine ran: nothing is charged';
  return 'The engine failed and its provider billed nothing: nothing is charged';
}
