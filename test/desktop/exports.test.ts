import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingChromium } from '../house/chromium.ts';
import { ConsoleHouse } from '../house/console-page.ts';
import { newId } from '../house/ids.ts';
import { runSql } from '../house/sql.ts';

const missing = missingChromium();
if (missing) console.warn(`The console's files in a browser: skipped: ${missing}`);

/** More than a list loads before it is scrolled. */
const STORED = 230;

let at: ConsoleHouse;

beforeAll(async () => {
  if (missing !== null) return;
  at = await ConsoleHouse.open();
  const insert = (into: string, select: string, values: unknown[] = []) =>
    runSql(at.house.databaseUrl, `insert into ${into} select ${select} from generate_series(1, $1::int) n`, [
      STORED,
      ...values,
    ]);
  const beginningOf = (id: string) => `${id}${newId('ocr_').slice(4, -16)}`;
  await insert(
    'account (id, email, signing_secret)',
    `gen_random_uuid(), 'file' || lpad(n::text, 4, '0') || '@example.com', 'whsec_x'`,
  );
  await runSql(
    at.house.databaseUrl,
    `insert into wallet (account_id, posted) select id, 1 from account where email like 'file%'`,
  );
  await insert(
    `ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, finished_at)`,
    `$2 || lpad(n::text, 16, '0'), $3, 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded', 0, 5, now()`,
    [beginningOf('ocr_'), at.sender.accountId],
  );
  await insert(
    `webhook_delivery (id, account_id, url, origin, event, is_failure, status, attempt, error, finished_at)`,
    `$2 || lpad(n::text, 16, '0'), $3, 'https://a.example/hook', 'https://a.example', 'ocr.completed', false, 'failed', 4, '=1+1', now()`,
    [beginningOf('whd_'), at.sender.accountId],
  );
  await insert(
    'ledger_transfer (account_id, kind, debit, credit, amount, reason)',
    `$2, 'top_up', 'cash', 'wallet', 1000000, 'line ' || n`,
    [at.sender.accountId],
  );
  await insert('audit_entry (via, action, subject, details)', `'command line', 'addCredit', $2, '{"usd": 5}'`, [
    at.sender.accountId,
  ]);
  await insert(
    'alert (id, rule_id, kind, severity, title, detail, began_at, ended_at)',
    `$2 || lpad(n::text, 16, '0'), 'alr_gone', 'engine_down', 'critical', 'Reader is down', 'one, two', now() - interval '1 hour', now()`,
    [beginningOf('alt_')],
  );
});
afterAll(async () => at?.[Symbol.asyncDispose]());

it.skipIf(missing).each([
  ['requests', '/requests', 'id,accepted_at,finished_at,status', /^ocr_\w{26},.+,succeeded,/, STORED],
  ['accounts', '/accounts', 'id,email,tier', /^[0-9a-f-]{36},.+@/, STORED + 2],
  ['failed-webhooks', '/webhooks', 'webhook_id,request_id', /^whd_.+,https:.+,'=1\+1,1,4,/, STORED],
  ['audit-log', '/accounts?tab=audit', 'id,at,action', /^\d+,.+,addCredit,/, STORED],
  ['alerts', '/alerts', 'id,began_at,ended_at', /^alt_.+,Reader is down,"one, two",/, STORED],
] as const)(
  'saves all %s that the list finds, not the rows that it has loaded',
  async (name, path, head, line, least) => {
    const page = await at.visit(path);
    const lines = await saved(page, name, page.getByRole('button', { name: 'Export CSV' }));
    expect(lines[0]).toContain(head);
    expect(lines.slice(1).filter((each) => line.test(each)).length).toBeGreaterThanOrEqual(least);
    expect(new Set(lines).size).toBe(lines.length);
    await page.getByText(/rows were saved\.$/).waitFor();
    await page.context().close();
  },
);

it.skipIf(missing)('saves an account’s whole ledger', async () => {
  const page = await at.visit(`/accounts?account=${at.sender.accountId}`);
  const ledger = page.getByRole('region', { name: 'Ledger, the last 20 lines' });
  const lines = await saved(page, 'ledger', ledger.getByRole('button', { name: 'Export CSV' }));
  expect(lines[0]).toBe('id,created_at,kind,debit,credit,amount_usd,reason,request_id,attempt_id');
  const reasons = lines.filter((each) => /^\d+,[^,]+,top_up,cash,wallet,0\.001,line \d+,,$/.test(each));
  expect(reasons).toHaveLength(STORED);
  await page.context().close();
});

it.skipIf(missing)('saves no other requests than the filter finds', async () => {
  const page = await at.visit('/requests?status=failed');
  await page
    .getByText(/^No request/)
    .first()
    .waitFor();
  expect(await saved(page, 'requests', page.getByRole('button', { name: 'Export CSV' }))).toHaveLength(1);
  await page.context().close();
});

it.skipIf(missing)('saves the engines as the table shows them', async () => {
  const page = await at.visit('/engines?view=table');
  const lines = await saved(page, 'engines', page.getByRole('button', { name: 'Export CSV' }));
  expect(lines[0]).toMatch(/^id,/);
  expect(lines.some((each) => each.startsWith('reader,'))).toBe(true);
  await page.context().close();
});

/** The lines of the file that the button saves. */
async function saved(page: Page, name: string, button: ReturnType<Page['getByRole']>): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${name}-.+\\.csv$`));
  return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
}
