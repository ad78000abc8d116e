import { expect, it } from 'vitest';
import { ask } from '../../../test/house/graphql.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { until } from '../../../test/house/until.ts';
import { agree } from './agree.ts';
import type { DemoHouse } from './demo-house.ts';
import { operationOf, readFace } from './face-documents.ts';
import { balanceFacts, budgetFacts } from './owner-facts.ts';
import { watched } from './watched.ts';

const dashboard = readFace('dashboard/src');
const console = readFace('desktop/src');

interface Key {
  readonly id: string;
  readonly budget: { readonly amount: number; readonly spent: number; readonly held: number } | null;
}

/** What a key may spend, and what a request would take, before and after requests were sent: they come last, as more is open then. */
export function checkLimits(demo: () => DemoHouse): void {
  it('is what a key has spent of its limit, and what a request would take of the balance', async () => {
    const { house, pool, operator, owners } = demo();
    const owner = owners.at(-1);
    if (!owner) throw new Error('the house has owners');
    const { accountId, browser, caller } = owner;
    const read = async <T>(name: string, variables: object = {}): Promise<T> => {
      const query = operationOf(dashboard, name);
      const { body } = await browser.graphql<{ data: T; errors?: unknown }>(query, variables);
      expect(body.errors).toBeUndefined();
      return watched('dashboard/src', query, body.data);
    };
    const send = async (engine: string, fields: object = {}) => {
      const { body } = await caller.ocr(await pictureBody(engine, { ...fields }));
      const { rows } = await pool.query<{ id: string; keyId: string; hold: number; counts: boolean }>(
        `select id, key_id as "keyId", (hold / 1e9)::float8 as hold, budget_term is not null as counts
         from ocr_request where id = $1`,
        [body.request_id],
      );
      if (!rows[0]) throw new Error('what was accepted has a row');
      return rows[0];
    };

    const { keyId } = await send('reader');
    await read('SetKeyBudget', { id: keyId, usd: 5, period: 'month' });
    await until('what the key sends counts in its limit', async () => (await send('reader')).counts);
    await house.admin.refund((await send('reader')).id, 0.004, { reason: 'a mistake of ours' });

    type Estimate = { estimateCost: Record<'pages' | 'reserved' | 'available', number> };
    const wish = { engine: 'held', fallbackEngine: null, pageCount: 1, pageRange: null };
    let reserved = 0;
    await agree(
      async () => (await balanceFacts(pool, accountId)).available,
      async () => {
        const { estimateCost } = await read<Estimate>('EstimateCost', wish);
        expect(estimateCost.pages).toBe(1);
        reserved = estimateCost.reserved;
        return estimateCost.available;
      },
    );
    expect((await send('held', { mode: 'async' })).hold).toBe(reserved);

    type Keys = { account: { keys: Key[] } };
    const budgetIn = ({ account }: Keys) => {
      const { amount, spent, held } = account.keys.find(({ id }) => id === keyId)?.budget ?? {};
      return { amount, spent, held };
    };
    const facts = () => budgetFacts(pool, keyId, 5);
    const fact = await agree(facts, async () => budgetIn(await read<Keys>('Keys')));
    await agree(facts, async () => {
      const variables = { id: accountId, subject: `account:${accountId}` };
      const query = operationOf(console, 'AccountDetail');
      const { data } = await ask<Keys>(operator.caller, query, variables);
      return budgetIn(watched('desktop/src', query, data));
    });
    expect(fact.held).toBe(reserved);
    expect(fact.spent).toBeGreaterThan(0.004);
  });
}
