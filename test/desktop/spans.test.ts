import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { ask } from '../house/graphql.ts';
import { newId } from '../house/ids.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const missing = missingChromium();
if (missing) console.warn(`What is not of the time range says so, in a browser: skipped: ${missing}`);

let at: ConsoleHouse;
beforeAll(async () => {
  if (missing === null) at = await ConsoleHouse.open();
});
afterAll(() => at?.[Symbol.asyncDispose]());

it.skipIf(missing)('says of what does not go by the chosen time range which time it is of', async () => {
  const page = await at.visit('/');
  await page.getByRole('heading', { name: /^Latest requests of any time/ }).waitFor();
  await page.evaluate(`location.hash = '/engines'`);
  const card = page.getByRole('article').first();
  await card.getByText('24 h', { exact: true }).waitFor();
  const [line, span] = await Promise.all([
    card.getByRole('img').first().boundingBox(),
    card.getByText('24 h', { exact: true }).boundingBox(),
  ]);
  expect(span?.y).toBeLessThan(line?.y ?? 0);
  await page.context().close();
});

it.skipIf(missing)('draws the queue across the chosen time, however short a gateway has run', async () => {
  await until('the queue was sampled', async () => {
    const { data } = await ask<{ queueHistory: unknown[] }>(at.operator.caller, '{ queueHistory(hours: 1) { at } }');
    return data.queueHistory.length > 0;
  });
  const openedMs = Date.now();
  const page = await at.visit('/queue?range=24h');
  for (const title of ['Requests waiting', 'Longest wait']) {
    const chart = page.getByRole('region', { name: title });
    await chart.locator('.u-over').hover({ position: { x: 1, y: 40 } });
    await chart.getByText('not measured', { exact: true }).waitFor();
    const [shown] = /\d\d \w+, \d\d:\d\d/.exec(await chart.innerText()) ?? [];
    expect(await page.evaluate(minutesOfYesterday, openedMs)).toContain(shown);
  }
  await page.context().close();
});

it.skipIf(missing)('goes by the range that was chosen on pages where little happens in a day, too', async () => {
  const { databaseUrl } = at.house;
  await runSql(
    databaseUrl,
    `insert into audit_entry (at, via, action, subject, details, outcome)
     values (now() - interval '3 days', 'command line', 'days before', 'x', '{}', 'done'),
       (now() - interval '60 days', 'command line', 'long before', 'x', '{}', 'done'),
       (now(), 'command line', 'just now', 'x', '{}', 'done')`,
  );
  for (const [title, days] of [
    ['Old trouble', 3],
    ['Ancient trouble', 60],
  ] as const) {
    await runSql(
      databaseUrl,
      `insert into alert (id, rule_id, kind, severity, title, detail, began_at, ended_at)
       select $1, 'alr_gone', 'engine_down', 'critical', $2, '', t, t from (select now() - make_interval(days => $3) as t) a`,
      [newId('ocr_').replace('ocr', 'alt'), title, days],
    );
  }
  const page = await at.visit('/alerts');
  const range = page.getByRole('radiogroup', { name: 'Time range' });
  const choose = (label: string) => range.getByText(label, { exact: true }).click();
  const history = page.getByRole('region', { name: /^History/ });
  await history.getByText('in the last 30 days').waitFor();
  await history.getByText(/Old trouble/).waitFor();
  expect(await history.getByText(/Ancient trouble/).count()).toBe(0);
  expect(await range.getByRole('radio', { name: '30 d' }).isChecked()).toBe(true);
  await choose('24 h');
  await history.getByText('No alert has ended in the last 24 h.').waitFor();
  await history.getByRole('button', { name: 'Show any time' }).click();
  await history.getByText(/Ancient trouble/).waitFor();
  expect(await range.getByRole('radio', { checked: true }).count()).toBe(0);

  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Requests, 1 d' }).waitFor();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  const log = page.getByRole('region', { name: 'Audit log' });
  await log.getByText('in the last 24 h').waitFor();
  await log.getByRole('cell', { name: /just now/ }).waitFor();
  expect(await log.getByRole('cell', { name: /before/ }).count()).toBe(0);
  await choose('7 d');
  await log.getByRole('cell', { name: /days before/ }).waitFor();
  expect(await log.getByRole('cell', { name: /long before/ }).count()).toBe(0);
  await log.getByRole('button', { name: 'Show any time' }).click();
  await log.getByRole('cell', { name: /long before/ }).waitFor();

  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByRole('columnheader', { name: 'Requests, 7 d' }).waitFor();
  expect(await range.getByRole('radio', { name: '7 d' }).isChecked()).toBe(true);
  await page.getByRole('tab', { name: 'Pending costs' }).click();
  await page.getByRole('heading', { name: /^Pending costs.* of any time$/ }).waitFor();
  await until('nothing says that it goes by a range', async () => (await range.count()) === 0);
  await page.context().close();
});

/** Each minute from a time on, up to the present one, as it was a day ago, in the browser's zone. */
function minutesOfYesterday(sinceMs: number): string[] {
  const [dayMs, minuteMs] = [86_400_000, 60_000];
  const short = { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-GB', short);
  const many = Math.ceil((Date.now() - sinceMs) / minuteMs) + 1;
  return Array.from({ length: many }, (_, minute) => format.format(sinceMs - dayMs + minute * minuteMs));
}
