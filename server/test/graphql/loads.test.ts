import { graphql } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { AccountsResolver } from '../../src/accounts/accounts.resolver.ts';
import type { Context } from '../../src/accounts/callers/context.ts';
import { AccountList } from '../../src/accounts/store/account-list.ts';
import { LedgerReader } from '../../src/billing/ledger-reader.ts';
import { MoneyResolver } from '../../src/billing/money.resolver.ts';
import { PendingCosts } from '../../src/billing/pending-costs.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { ReportsReady } from '../../src/database/reports-ready.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { RequestList } from '../../src/requests/list/request-list.ts';
import { PositionTurns } from '../../src/requests/places/position-turns.ts';
import { RequestDetailsResolver } from '../../src/requests/show/request-details.resolver.ts';
import { RequestsResolver } from '../../src/requests/show/requests.resolver.ts';
import { requestLoaders } from '../../src/requests/store/request-loaders.ts';
import { TextTurns } from '../../src/requests/store/texts/text-turns.ts';
import { KeyUsageReader } from '../../src/usage/key-usage.ts';
import { UsageSummaryResolver } from '../../src/usage/usage-summary.resolver.ts';

let pool: Pool;
let statements = 0;
let ask: (query: string) => Promise<number>;

beforeAll(async () => {
  const url = await createDatabase();
  await using admin = await openHouseAdmin(url);
  const { accountId } = await makeAccount(admin);
  for (let n = 0; n < 9; n++) await makeAccount(admin);
  pool = openPool(url, { max: 4, log: makeLog('silent') });
  await pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, finished_at)
     select 'ocr_' || lpad(n::text, 26, '0'), $1, 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded', 0, now()
     from generate_series(1, 40) n`,
    [accountId],
  );
  const ready = new ReportsReady(pool);
  await ready.look(); // asked once a process
  const loaders = requestLoaders(pool, {
    positions: new PositionTurns({ hasOthers: () => false }),
    texts: { pool, turns: new TextTurns() },
  });
  const unused = null as never; // no operation of this file gets there
  const schema = makeSchema([
    new RequestsResolver(unused, unused, loaders, unused),
    new RequestDetailsResolver(new RequestList(pool), unused, loaders),
    new UsageSummaryResolver({ pool, ready }, new KeyUsageReader(pool, ready)),
    new AccountsResolver(unused, new AccountList(pool)),
    new MoneyResolver(new LedgerReader(pool), new PendingCosts(pool), unused, unused, unused),
  ]);
  const send = pool.ask.bind(pool);
  pool.ask = ((...args: Parameters<typeof send>) => {
    statements++;
    return send(...args);
  }) as typeof send;
  const scopes = ['operator', 'ocr:read'] as const;
  const caller = { accountId, keyId: 'key_x', scopes, tier: 'free', history: true, via: 'key' } as const;
  ask = async (source) => {
    statements = 0;
    const { data, errors } = await graphql({ schema, source, contextValue: { caller } satisfies Context });
    expect(errors).toBeUndefined();
    const [page] = Object.values(data ?? {}) as { nodes: unknown[] }[]; // each query of this file asks for one page
    return page?.nodes.length ?? 0;
  };
});
afterAll(() => pool.end());

it('reads a page of requests with all that belongs to them in one statement a kind', async () => {
  const query = (first: number) => `{ requests(first: ${first}) { nodes { id timeline { kind } attempts { id }
    transfers { id } deliveries { id } pageResults { number } keyLabel accountEmail } } }`;
  expect(await ask(query(40))).toBe(40);
  expect(statements).toBe(6); // requests, attempts, deliveries, transfers, pages, e-mail addresses (they have no key)
  expect(await ask(query(1))).toBe(1);
  expect(statements).toBe(6);
});

it('reads a page of accounts with their keys, what these spent, and balances in four statements', async () => {
  expect(await ask('{ accounts { nodes { id keys { id usage30Days { spent } } balance { available } } } }')).toBe(10);
  expect(statements).toBe(4);
});
