import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../../../test/house/chromium.ts';
import { openConsole, type Visitable } from '../../../test/house/console-page.ts';
import { ask } from '../../../test/house/graphql.ts';
import { count } from '../../../ui/src/format/count.ts';
import { duration } from '../../../ui/src/format/duration.ts';
import { money } from '../../../ui/src/format/money.ts';
import { percent, share } from '../../../ui/src/format/percent.ts';
import { agree } from './agree.ts';
import { accountFacts } from './console-facts.ts';
import { DAYS, type DemoHouse } from './demo-house.ts';
import { uptimeFacts, windowFacts } from './operator-facts.ts';

const missing = missingChromium();

/** Nothing is sent to it meanwhile, and at any time of the day some of its last thirty days' requests failed. */
const ENGINE = 'demo-cumulus';
const HOURS = DAYS * 24;

/** What the console draws of an engine and of an account is what the rows say, as they are written there. */
export function checkDrawn(demo: () => DemoHouse): void {
  let desk: Visitable;

  beforeAll(async () => {
    if (missing === null) desk = await openConsole(demo().house, demo().operator);
  });
  afterAll(() => desk?.[Symbol.asyncDispose]());

  it.skipIf(missing)('has the time, the errors and the uptime of an engine on its card', async () => {
    const { pool, operator } = demo();
    const { data } = await ask<{ engine: { name: string } }>(operator.caller, `{ engine(id: "${ENGINE}") { name } }`);
    await agree(
      async () => {
        const window = (await windowFacts(pool, HOURS)).find(({ id }) => id === ENGINE);
        return { ...window, uptime: (await uptimeFacts(pool, ENGINE, DAYS)).overallUptimePct };
      },
      async () => {
        const page = await desk.visit(`/engines?range=${DAYS}d`);
        const card = page.getByRole('article', { name: data.engine.name, exact: true });
        await card.getByText('p95 per page', { exact: true }).waitFor();
        const words = (await card.innerText()).replaceAll(/\s+/g, ' ');
        await page.context().close();
        return words;
      },
      (seen, { p50Ms, p95Ms, p99Ms, errorRate, uptime }) => {
        const [, p95, p50, p99] = /(\S+ m?s) p95 per page · p50 (\S+ m?s) · p99 (\S+ m?s) /.exec(String(seen)) ?? [];
        expect(timesNear(p95Ms)).toContain(p95);
        expect(timesNear(p50Ms)).toContain(p50);
        expect(timesNear(p99Ms)).toContain(p99);
        expect(errorRate).toBeGreaterThan(0);
        expect(seen).toContain(` ${share(errorRate)} errors `);
        expect(seen).toContain(`30 days ${percent(uptime)} `);
      },
    );
  });

  it.skipIf(missing)('has what accounts used and have in their rows', async () => {
    const { rows: known } = await demo().pool.query<{ id: string; email: string }>('select id, email from account');
    const emails = new Map(known.map(({ id, email }) => [id, email]));
    const owners = new Set(demo().owners.map(({ accountId }) => accountId));
    const facts = await agree(
      async () => (await accountFacts(demo().pool, DAYS)).filter(({ id }) => owners.has(id)),
      async () => {
        const page = await desk.visit(`/accounts?range=${DAYS}d&sort=-cost`);
        const grid = page.getByRole('grid', { name: 'Accounts' });
        const rows: Record<string, string[]> = {};
        for (const id of owners) {
          const row = grid.getByRole('row').filter({ hasText: emails.get(id) ?? '' });
          await row.waitFor();
          rows[id] = await row.getByRole('gridcell').allInnerTexts();
        }
        await page.context().close();
        return rows;
      },
      (seen, accounts) => {
        for (const { id, available, owed, requests, cost, held, spent } of accounts) {
          const cells = (seen as Record<string, string[]>)[id] ?? [];
          const used = [money(available), owed > 0 ? money(owed) : '–', count(requests), money(cost)];
          expect(cells.slice(1, 5)).toEqual(used);
          expect(cells.slice(-2)).toEqual([money(held), money(spent)]);
        }
      },
    );
    expect(facts.some(({ owed }) => owed > 0)).toBe(true);
  });
}

/** As a time is written that is rounded as latencies are kept: by 1 %, and a millisecond. */
function timesNear(exactMs: number): ReadonlySet<string> {
  const marginMs = Math.ceil(exactMs * 0.01 + 1.1);
  return new Set(Array.from({ length: 2 * marginMs + 1 }, (_, ms) => duration(exactMs - marginMs + ms)));
}
