import { expect, it } from 'vitest';
import { ask } from '../../../test/house/graphql.ts';
import { agree } from './agree.ts';
import { accountFacts, endingFacts, engineMoneyFacts, keyPageFacts, panelFacts } from './console-facts.ts';
import type { DemoHouse } from './demo-house.ts';
import { operationOf, readFace } from './face-documents.ts';
import { everyPage, type Paged } from './lists.ts';
import { watched } from './watched.ts';

type Row = Readonly<Record<string, unknown>>;

const face = readFace('desktop/src');
const NANO = 1e9;

/** Engines whose pages cost something by the catalogue, cost nothing, or are not priced by it. */
const ENGINES = ['demo-cumulus', 'demo-borealis', 'tesseract', 'reader', 'silent'];
const picked = (row: Row, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]));
const each = (rows: unknown, ...names: string[]) => (rows as Row[]).map((row) => picked(row, names));

/** What the console gets by its own documents is what the rows say. */
export function checkConsole(demo: () => DemoHouse): void {
  const read = async <T>(name: string, variables: object): Promise<T> => {
    const query = operationOf(face, name);
    const { data, codes } = await ask<T>(demo().operator.caller, query, variables);
    expect(codes).toEqual([]);
    return watched('desktop/src', query, data);
  };

  it.each(ENGINES)('is why runs on %s ended badly, and what was refused', async (id) => {
    type Answer = { engine: { window: Row }; engineErrors: { runs: number; isCut: boolean; endings: Row[] } };
    const ordered = (rows: readonly Row[]) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const keyOf = ({ outcome, providerFault }: Row) => `${outcome} ${providerFault}`;
    for (const hours of [24, 720]) {
      await agree(
        async () => {
          const facts = await endingFacts(demo().pool, id, hours);
          return { ...facts, isCut: false, endings: ordered(facts.endings) };
        },
        async () => {
          const { engine, engineErrors } = await read<Answer>('EngineErrors', { id, hours });
          const { runs, isCut, endings } = engineErrors;
          const names = ['outcome', 'providerFault', 'runs', 'isEngineError', 'lastAt'];
          return { runs, isCut, unavailable: engine.window['unavailable'], endings: ordered(each(endings, ...names)) };
        },
      );
    }
  });

  it.each(ENGINES)('is what %s brought in, took, and left', async (id) => {
    type Money = Record<'charged' | 'runs' | 'pages' | 'pendingRuns', number> &
      Record<'providerCost' | 'margin' | 'providerCostPerPage', number | null>;
    for (const hours of [24, 720]) {
      await agree(
        () => engineMoneyFacts(demo().pool, id, hours),
        async () => (await read<{ engineMoney: Money }>('EngineMoney', { id, hours })).engineMoney,
        (seen, { reported, charged, ...counts }) => {
          const { providerCostPerPage, providerCost, margin } = seen as Money;
          const ofPages = counts.pages === 0 || id === 'tesseract' ? 0 : providerCostPerPage;
          const isUnknown = counts.pendingRuns > 0 || ofPages === null;
          const cost = isUnknown ? null : (reported + Math.round((ofPages ?? 0) * NANO) * counts.pages) / NANO;
          expect(seen).toMatchObject({ ...counts, isCut: false, charged: charged / NANO });
          expect(providerCost).toBe(cost);
          expect(margin).toBe(cost === null ? null : (charged - Math.round(cost * NANO)) / NANO);
        },
      );
    }
  });

  it.each([1, 30, 90])('is what every account used in %i days, and has', async (days) => {
    type Line = {
      requests: number;
      cost: number;
      costByDay: number[];
      account: { id: string; balance: Record<'available' | 'held' | 'owed' | 'spent', number> };
    };
    const wish = { days, order: 'cost', descending: true, owing: false, search: null };
    await agree(
      () => accountFacts(demo().pool, days),
      async () => {
        const lines = await everyPage(
          async (after) => (await read<{ accountUsage: Paged<Line> }>('Accounts', { ...wish, after })).accountUsage,
        );
        expect(lines.map(({ cost }) => cost)).toEqual(lines.map(({ cost }) => cost).toSorted((a, b) => b - a));
        const rows = lines.map(({ requests, cost, costByDay, account: { id, balance } }) => {
          const { available, held, owed, spent } = balance;
          return { id, requests, cost, costByDay, available, held, owed, spent };
        });
        return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      },
    );
  });

  it('is what the keys of an account were used for', async () => {
    type Answer = { account: { keys: { id: string; usage30Days: object }[] } };
    for (const { accountId } of demo().owners) {
      await agree(
        () => keyPageFacts(demo().pool, accountId),
        async () => {
          const subject = `account:${accountId}`;
          const { account } = await read<Answer>('AccountDetail', { id: accountId, subject });
          const keys = account.keys.map(({ id, usage30Days }) => ({ id, ...usage30Days }));
          return keys.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        },
      );
    }
  });

  it('is each request with its times, attempts, pages and money', async () => {
    const own = ['id', 'pages', 'pagesTotal', 'cost', 'hold', 'starts', 'providerLatencyMs', 'documentMs', 'renderMs'];
    const facts = await agree(
      () => panelFacts(demo().pool),
      async () => {
        const ids = (await panelFacts(demo().pool)).map(({ id }) => id);
        return Promise.all(
          ids.map(async (id) => {
            const { request } = await read<{ request: Row }>('RequestDetail', { id });
            return {
              ...picked(request, [...own, 'confidence']),
              attempts: each(request['attempts'], 'number', 'pages', 'pagesTried', 'providerLatencyMs', 'cost'),
              transfers: each(request['transfers'], 'kind', 'amount'),
              pageResults: each(request['pageResults'], 'number', 'providerLatencyMs', 'cost'),
            };
          }),
        );
      },
    );
    expect(facts.length).toBeGreaterThan(4);
  });
}
