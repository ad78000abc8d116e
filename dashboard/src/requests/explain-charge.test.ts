import { describe, expect, it } from 'vitest';
import type { LedgerSide, TransferKind } from '../documents.generated.ts';
import { explainCharge } from './explain-charge.ts';

type Priced = Parameters<typeof explainCharge>[0];

const READ: Priced = {
  status: 'succeeded',
  engine: 'reader',
  cost: 0.02,
  hold: 0.02,
  pages: 2,
  pagesTotal: 2,
  finishedAt: '2026-03-01T00:00:00Z',
  cancelledAt: null,
  attempts: [],
  transfers: [transfer('charge', 0.02)],
  pageResults: [page(1, 0.01), page(2, 0.01)],
};

function transfer(kind: TransferKind, amount: number, debit: LedgerSide = 'wallet'): Priced['transfers'][number] {
  return { id: kind, kind, amount, debit, credit: 'revenue', createdAt: '2026-03-01T00:00:00Z' };
}

function page(number: number, cost: number): Priced['pageResults'][number] {
  return {
    number,
    cost,
    state: 'read',
    engine: 'reader',
    source: 'engine',
    confidence: null,
    code: null,
    message: null,
    text: null,
  };
}

describe('explainCharge', () => {
  it('names pages and price, and adds up to the cost', () => {
    expect(explainCharge(READ)).toEqual([{ words: '2 pages with reader at $0.01 each', usd: 0.02 }]);
  });

  it('says what was left when it was cancelled, and what a call under way costs', () => {
    const cancelledAt = '2026-03-01T00:00:00Z';
    const pages = [
      page(1, 0.01),
      ...[2, 3].map((number) => ({ ...page(number, 0), state: 'failed' as const, code: 'cancelled' as const })),
    ];
    const transfers = [transfer('charge', 0.01), transfer('provider_cost', 0.004)];
    const left = { ...READ, cancelledAt, cost: 0.014, pages: 1, pagesTotal: 3, transfers, pageResults: pages };
    expect(explainCharge({ ...left, status: 'partial' })).toEqual([
      { words: '1 page with reader at $0.01', usd: 0.01 },
      {
        words:
          'Attempts that failed or were under way when it was cancelled, at what their providers bill, without markup',
        usd: 0.004,
      },
      { words: '2 pages not read when it was cancelled: no price is charged for them.', usd: null },
    ]);
    const none = { ...READ, cancelledAt, status: 'failed' as const, cost: 0, pages: 0, transfers: [], pageResults: [] };
    expect(explainCharge(none)).toEqual([{ words: 'Cancelled before any engine ran: nothing is charged', usd: 0 }]);
  });

  it('tells the price of the pages that were read from the cost of those that were not', () => {
    const failed = [3, 4].map((number) => ({
      ...page(number, 0),
      state: 'failed' as const,
      code: 'provider_error' as const,
    }));
    const mixed: Priced = {
      ...READ,
      ...{ status: 'partial', cost: 0.028, pages: 2, pagesTotal: 4, transfers: [transfer('charge', 0.028)] },
      pageResults: [...READ.pageResults, ...failed],
    };
    expect(explainCharge(mixed)).toEqual([
      { words: '2 pages with reader at $0.01 each', usd: 0.02 },
      { words: 'Pages that failed, at what their providers bill, without markup', usd: 0.008 },
    ]);
    const [whole] = explainCharge({ ...mixed, pageResults: mixed.pageResults.map((one) => ({ ...one, cost: 0 })) });
    expect(whole).toEqual({ words: '2 pages with reader', usd: 0.028 }); // by the token: pages have no price
  });

  it('says why pages are billed that the document has not', () => {
    const asked = {
      ...READ,
      cost: 0.03,
      pages: 3,
      pagesTotal: 1,
      transfers: [transfer('charge', 0.03)],
      pageResults: [page(1, 0.01)],
    };
    expect(explainCharge(asked)).toEqual([
      { words: '3 pages with reader, as asked for: the document has 1', usd: 0.03 },
    ]);
  });

  it('tells what failed at cost, what of it is owed, and what is not known yet', () => {
    const pending = { billing: 'pending' } as Priced['attempts'][number]; // only that is looked at
    const failed: Priced = {
      ...READ,
      status: 'failed',
      cost: 0.004,
      attempts: [pending],
      transfers: [transfer('provider_cost', 0.004, 'receivable')],
    };
    const [first, second] = explainCharge(failed);
    expect(first).toEqual({
      words: 'Failed attempts, at what their providers bill, without markup (owed)',
      usd: 0.004,
    });
    expect(second?.usd).toBeNull();
    expect(second?.words).toMatch(/^1 attempt whose provider has not reported its cost yet/);
  });

  it('says that nothing was charged, and what is reserved while it runs', () => {
    const free: Priced = { ...READ, status: 'rejected', cost: 0, transfers: [] };
    expect(explainCharge(free)).toEqual([{ words: 'Rejected before any engine ran: nothing is charged', usd: 0 }]);
    const running: Priced = { ...free, status: 'processing', finishedAt: null };
    expect(explainCharge(running)).toEqual([{ words: expect.stringMatching(/^\$0\.02 is reserved/), usd: null }]);
  });
});
