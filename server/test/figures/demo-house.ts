import { Browser } from '../../../test/house/browser.ts';
import type { Caller } from '../../../test/house/caller.ts';
import { cutsShort, type EngineAnswer, fails, filters, says } from '../../../test/house/engine-answers.ts';
import { makeGate } from '../../../test/house/gate.ts';
import { ask } from '../../../test/house/graphql.ts';
import { type House, type HouseAccount, openHouse } from '../../../test/house/house.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { until } from '../../../test/house/until.ts';
import { seedDemo } from '../../src/admin/seed-demo.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

export const DAYS = 30;
/** Of the demo’s usual traffic: enough for engines to have failed, and for accounts to have paid, and to owe. */
const SHARE = 0.25;
const LOG = makeLog('silent');
const because = { reason: 'a mistake of ours' };

/** Who looks at the dashboard. */
export interface Owner {
  readonly accountId: string;
  readonly browser: Browser;
  /** With a key of the account. */
  readonly caller: Caller;
}

/** A product with thirty days of the demo, and with requests that came after it and that no roll-up may have counted yet. */
export interface DemoHouse extends AsyncDisposable {
  readonly house: House;
  readonly pool: Pool;
  readonly operator: HouseAccount;
  /** The owners of the demo's accounts, and last the one whose requests were sent. */
  readonly owners: readonly Owner[];
}

export async function openDemoHouse(): Promise<DemoHouse> {
  const house = await openHouse({
    engines: { reader: {}, held: { concurrency: 1 }, silent: { provider_cost_per_page_usd: null, concurrency: 1 } },
  });
  const pool = openPool(house.product.databaseUrl, { max: 2, log: LOG, kind: 'admin' });
  const { accounts } = await seedDemo(pool, { days: DAYS, seed: 'figures', now: new Date(), share: SHARE }, LOG);
  const operator = await house.account({ scopes: ['operator'] });
  const live = await house.account();
  await sendEach(house, live);
  await correct(house, pool, { operator, live });
  await beRefused(house, pool);
  const gate = makeGate();
  house.engines.script('held', () => gate.opened.then(() => says('read')));
  const sending = live.caller.ocr(await pictureBody('held'));
  await house.engines.called('held');
  await until('the demo’s engines are in the catalogue', async () => {
    const { data } = await ask<{ engines: { id: string }[] }>(operator.caller, '{ engines { id } }');
    return data.engines.some(({ id }) => id.startsWith('demo-'));
  });
  const ids = [...accounts.map(({ account_id }) => account_id), live.accountId];
  const owners = await Promise.all(ids.map((id) => ownerOf(house, id)));
  return {
    house,
    pool,
    operator,
    owners,
    async [Symbol.asyncDispose]() {
      gate.open();
      await sending;
      await pool.end();
      await house[Symbol.asyncDispose]();
    },
  };
}

async function ownerOf(house: House, accountId: string): Promise<Owner> {
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const { api_key: apiKey } = await house.admin.createKey({ accountId });
  return { accountId, browser: new Browser(house.product).take(cookie), caller: house.callerWith(apiKey) };
}

/** One request of each ending, and one more that is given back in part. */
async function sendEach(house: House, { caller }: HouseAccount): Promise<void> {
  const endings: readonly (readonly [string, EngineAnswer])[] = [
    ['reader', fails(400, 'odd')],
    ['reader', filters()],
    ['reader', cutsShort('as far')],
    ['silent', filters()],
    ['silent', filters()],
    ['reader', says('read')],
  ];
  for (const [engine, answer] of endings) {
    house.engines.script(engine, answer);
    await caller.ocr(await pictureBody(engine));
  }
  const { body } = await caller.ocr(await pictureBody('reader'));
  await house.admin.refund(body.request_id, 0.004, because);
}

/** A late bill, and a correction; another late bill stays to come. */
async function correct(
  house: House,
  pool: Pool,
  { operator, live }: { operator: HouseAccount; live: HouseAccount },
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from attempt where engine = 'silent' and billing = 'pending' order by id limit 1`,
  );
  const verify = 'mutation ($id: ID!) { verifyCost(attemptId: $id, usd: 0.003) { debited } }';
  const { codes } = await ask(operator.caller, verify, { id: rows[0]?.id });
  if (codes.length > 0) throw new Error(`the late cost was refused: ${codes}`);
  await house.admin.adjustCredit(live.accountId, -1, because);
}

/** Two calls that are answered with an error before there is a request of them; they are written a moment later. */
async function beRefused(house: House, pool: Pool): Promise<void> {
  const { caller } = await house.account({ credit: 0 });
  await caller.ocr(await pictureBody('reader'));
  await house.callerWith('sk-ocr-unknown').ocr(await pictureBody('reader'));
  await until('the refused calls are counted', async () => {
    const { rows } = await pool.query('select coalesce(sum(calls), 0)::int as calls from refused_hour');
    return rows[0]?.calls >= 2;
  });
}
