import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../../../test/house/chromium.ts';
import { openConsole, type Visitable } from '../../../test/house/console-page.ts';
import { fails } from '../../../test/house/engine-answers.ts';
import { makeGate } from '../../../test/house/gate.ts';
import { ask } from '../../../test/house/graphql.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { until } from '../../../test/house/until.ts';
import { Visit } from '../../../test/house/visit.ts';
import { count } from '../../../ui/src/format/count.ts';
import { duration } from '../../../ui/src/format/duration.ts';
import { money } from '../../../ui/src/format/money.ts';
import { share } from '../../../ui/src/format/percent.ts';
import { engineMoneyFacts } from './console-facts.ts';
import type { DemoHouse } from './demo-house.ts';
import { wholeDemo } from './lists.ts';
import { overviewFacts, periodFacts } from './operator-facts.ts';
import { usageFacts } from './owner-facts.ts';
import { monthFacts, waitFacts } from './page-facts.ts';

const missing = missingChromium();
if (missing) console.warn(`Figures on the pages: skipped: ${missing}`);

const DAY_HOURS = 24;
/** What the page of the queue takes its rate from. */
const QUEUE_HOURS = 1;
const NANO = 1e9;
const SECOND_MS = 1000;

/** What pages work out of the figures that they get is what the rows say. */
export function checkPages(demo: () => DemoHouse): void {
  const gate = makeGate();
  let desk: Visitable;

  beforeAll(async () => {
    if (missing === null) desk = await openConsole(demo().house, demo().operator);
  });
  afterAll(async () => {
    gate.open();
    await desk?.[Symbol.asyncDispose]();
  });

  it.skipIf(missing)('compares the last day with the one before on the first page, as the rows say', async () => {
    const [day, latest, before] = await Promise.all([
      overviewFacts(demo().pool, DAY_HOURS),
      periodFacts(demo().pool, DAY_HOURS, 0),
      periodFacts(demo().pool, DAY_HOURS, 1),
    ]);
    const page = await desk.visit('/?range=24h');
    const main = page.getByRole('main');
    await main.getByText(/before, which had/).waitFor();
    const words = (await main.innerText()).replaceAll(/\s+/g, ' ');
    expect(words).toContain(`${money(day.spent)} charged in the last 24 h`);
    expect(words).toContain(`${money(day.chargedOnFailures)} of it for attempts that failed, at cost`);
    expect(words).toContain(`${count(day.requests)} runs, ${share(day.errorRate)} engine errors`);
    const charged = change([latest.spent, before.spent], ['more than', 'less than', 'as much as']);
    expect(words).toContain(`${charged} in the 24 h before (${money(before.spent)})`);
    const runs = change([latest.requests, before.requests], ['more than', 'fewer than', 'as many as']);
    expect(words).toContain(`${runs} in the 24 h before, which had ${share(before.errorRate)} errors`);
    await page.context().close();
  });

  it.skipIf(missing)('has the share and the time of what waits in the queue', async () => {
    const { house, pool, operator } = demo();
    const sender = await house.account();
    house.engines.script('silent', () => gate.opened.then(() => fails(400, 'odd')));
    const running = sender.caller.ocr(await pictureBody('silent'));
    await house.engines.called('silent');
    for (const engine of ['held', 'held', 'silent'])
      await sender.caller.ocr({ ...(await pictureBody(engine)), mode: 'async' });
    const before = await waitFacts(pool, QUEUE_HOURS);
    const waiting = before.reduce((sum, { queued }) => sum + queued, 0);
    await until('the queue is as long as it is', async () => {
      const { data } = await ask<{ queues: { queued: number }[] }>(operator.caller, '{ queues { queued } }');
      return data.queues.reduce((sum, { queued }) => sum + queued, 0) === waiting;
    });
    const page = await desk.visit('/queue');
    const table = page
      .getByRole('table', { name: 'Queue by engine' })
      .or(page.getByRole('grid', { name: 'Queue by engine' }));
    const seen = await Promise.all(
      before.map(async ({ engine }) =>
        (await table.getByRole('row', { name: engine }).innerText()).split(/\s*[\n\t]\s*/),
      ),
    );
    const after = await waitFacts(pool, QUEUE_HOURS);
    expect(before.map(({ engine }) => engine)).toEqual(expect.arrayContaining(['held', 'silent']));
    for (const [n, cells] of seen.entries()) {
      const [first, last] = [before[n], after[n]];
      if (!first || !last) throw new Error('both looks found the same engines');
      expect(cells).toEqual(expect.arrayContaining([count(first.queued), share(first.share)]));
      expect(timesBetween(first.drainMs, last.drainMs)).toContain(cells.at(-1));
    }
    gate.open();
    await running;
    await page.context().close();
  });

  it.skipIf(missing)('says how much of what an engine brought in is left', async () => {
    const { engine, hours, left } = await marginKnown(demo());
    const page = await desk.visit(`/engines/${engine}?tab=money&range=${hours / DAY_HOURS}d`);
    await page.getByText(`${share(left)} of what was charged`).waitFor();
    await page.context().close();
  });

  it.skipIf(missing)('compares an owner’s month with the last one, and lists their usage by engine', async () => {
    const [owner] = demo().owners;
    if (!owner) throw new Error('the demo has owners');
    await using visit = await Visit.begin(await sharedChromium(), demo().house);
    const { cookie } = await demo().house.admin.createSession(
      owner.accountId,
      new URL(demo().house.product.dashboardUrl),
    );
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await visit.context.addCookies([{ name, value, url: demo().house.product.dashboardUrl }]);
    const facts = await monthFacts(demo().pool, owner.accountId);
    if (!facts) throw new Error('an aggregate has one row');
    const days = wholeDemo();
    const { byEngine } = await usageFacts(demo().pool, owner.accountId, days);
    await visit.open(`/usage?${new URLSearchParams({ ...days })}`);
    const { now, then, all } = facts;
    const more = [`more than the ${money(then)}`, `less than the ${money(then)}`, 'as much as'] as const;
    const words = then === 0 ? 'against nothing' : change([now, then], more);
    expect(now + all).toBeGreaterThan(0);
    await visit.page
      .getByText(`${money(now)} so far, ${words} by this day of last month; ${money(all)} in all of last month`)
      .waitFor();
    const table = visit.page.getByRole('table', { name: 'By engine' });
    await table.waitFor();
    const rows = await table.locator('tbody tr').all();
    const seen = await Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
    const used = byEngine.map(({ of, cost, requests, pages, failed, chargedOnFailures }) => [
      ...[of, money(cost), count(requests), count(pages), count(failed), money(chargedOnFailures)],
    ]);
    expect(used.length).toBeGreaterThan(2);
    expect(seen.toSorted()).toEqual(used.toSorted());
  });
}

function change(
  [now, before]: readonly [number, number],
  [more, less, same]: readonly [string, string, string],
): string {
  const part = Math.abs(now - before) / before;
  return part < 0.01 ? same : `${share(part, 0)} ${now > before ? more : less}`;
}

/** The time that is shown between two looks. */
function timesBetween(firstMs: number | null, lastMs: number | null): readonly string[] {
  if (firstMs === null || lastMs === null) return ['unknown'];
  const many = Math.ceil((lastMs - firstMs) / SECOND_MS) + 1;
  return Array.from({ length: many }, (_, second) => `about ${duration(firstMs + second * SECOND_MS)}`);
}

/** An engine of the demo whose provider has said what each of its runs cost. */
async function marginKnown(demo: DemoHouse): Promise<{ engine: string; hours: number; left: number }> {
  const { data } = await ask<{ engines: { id: string; demo: boolean }[] }>(
    demo.operator.caller,
    '{ engines { id demo } }',
  );
  for (const { id } of data.engines.filter((engine) => engine.demo))
    for (const hours of [30 * DAY_HOURS, 7 * DAY_HOURS]) {
      const { charged, reported, pages, pendingRuns } = await engineMoneyFacts(demo.pool, id, hours);
      const query = `{ engineMoney(id: "${id}") { providerCostPerPage } }`;
      const money = await ask<{ engineMoney: { providerCostPerPage: number | null } }>(demo.operator.caller, query);
      const { providerCostPerPage: perPage } = money.data.engineMoney;
      if (pendingRuns === 0 && perPage !== null && charged > 0)
        return { engine: id, hours, left: (charged - reported - pages * perPage * NANO) / charged };
    }
  throw new Error('no engine of the demo has a known margin');
}
