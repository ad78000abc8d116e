import { randomBytes } from 'node:crypto';
import { Caller } from '../test/house/caller.ts';
import { missingChromium, openChromium } from '../test/house/chromium.ts';
import { startProduct } from '../test/house/product.ts';
import { ScriptedEngines } from '../test/house/scripted-engines.ts';
import { WebConsole } from '../test/house/web-console.ts';
import { adminOf } from './admin.ts';
import { beside, compare, type Row } from './measure.ts';
import { type Browser, enter, usefulPaintMs, WINDOW } from './paint.ts';
import { downOnScreenMs, watchRequests } from './screen.ts';
import { show } from './show.ts';
import { openGround } from './stage.ts';

const DAYS = '30';
const PAINTS = 9;
const READER = 'reader';
/** The bars. */
const DOWN_MS = 15_000;
const ROW_MS = 700;
const PAINT_MS = 600;
const GROWTH = 1.1;
const PASSWORD = randomBytes(12).toString('hex');
const EMAIL = 'bench@localhost';

/**
 * What somebody in front of the faces waits for: that a dead engine is shown as down, that a request stands in the list, the
 * first useful picture of the dashboard and of the API reference; and what the console's page holds while requests come.
 */
export async function benchFaces({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Row[]> {
  const missing = missingChromium();
  if (missing) {
    console.log(`\nThe faces: skipped: ${missing}`);
    return [];
  }
  await using stack = new AsyncDisposableStack();
  const { databaseUrl } = stack.use(await openGround());
  const engines = stack.use(await ScriptedEngines.start());
  const dying = Array.from({ length: rounds }, (_, round) => `dying-${round + 1}`);
  const entries = [READER, ...dying].map((id) => engines.entry(id, {}));
  const product = stack.use(await startProduct({ databaseUrl, engines: entries }));
  const key = await seed(databaseUrl);
  const caller = new Caller(product.url, key);
  const web = stack.use(await WebConsole.start({ url: product.url, token: key }));
  const browser = await openChromium();
  stack.defer(() => browser.close());

  const paints = await dashboardAndReference(browser, product);
  const page = await (await enter(browser, web)).newPage();
  await page.goto(new URL('/#/engines', web.origin).href);
  await page.locator('main article').nth(rounds).waitFor();
  const downs: number[] = [];
  for (const id of dying) downs.push(await downOnScreenMs(page, caller, { engines, id }));
  await page.goto(new URL('/#/requests', web.origin).href);
  await page.locator('main [role=grid] tbody tr').nth(10).waitFor();
  const { rowMs, heapMb } = await watchRequests(page, caller, { engine: READER, seconds });
  const third = Math.floor(heapMb.length / 3);
  const [second, last] = [heapMb.slice(third, 2 * third), heapMb.slice(-third)];

  const limit = { unit: 'ms', better: 'less', bar: 1 } as const;
  const rows = [
    compare({ what: 'engine fails to “Down” on screen', ...limit }, beside(downs, DOWN_MS), Number),
    compare({ what: 'request sent to its row on screen, p95', ...limit }, beside([p95(rowMs)], ROW_MS), Number),
    compare({ what: 'dashboard, signed in: first useful paint', ...limit }, beside(paints.dashboard, PAINT_MS), Number),
    compare({ what: 'API reference: first useful paint', ...limit }, beside(paints.reference, PAINT_MS), Number),
    compare(
      { what: 'console’s memory, last third : second third', unit: 'MB', better: 'less', bar: GROWTH },
      [{ ours: middle(last), anchor: middle(second) }],
      Number,
    ),
  ];
  show(`The faces in ${browser.version()}, ${rowMs.length} requests in ${seconds} s; anchor: the limit`, rows);
  return rows;
}

/** Fills the gateway; a key for somebody who is operator and owner at once. */
async function seed(databaseUrl: string): Promise<string> {
  const admin = adminOf(databaseUrl);
  await admin('demo', 'seed', '--days', DAYS);
  const login = ['--email', EMAIL, '--password', PASSWORD];
  const { account_id = '' } = await admin('account', 'create', ...login, '--tier', 'unlimited', '--credit', '100000');
  const { api_key = '' } = await admin(
    'key',
    'create',
    '--account',
    account_id,
    '--scopes',
    'operator,ocr:read,ocr:write',
  );
  return api_key;
}

interface Paints {
  readonly dashboard: readonly number[];
  readonly reference: readonly number[];
}

/** Nothing cached, in turns. */
async function dashboardAndReference(
  browser: Browser,
  { url, dashboardUrl }: { readonly url: string; readonly dashboardUrl: string },
): Promise<Paints> {
  const signedIn = await browser.newContext(WINDOW);
  const origin = new URL(dashboardUrl).origin;
  const login = await signedIn.request.post(`${origin}/api/login`, {
    data: { email: EMAIL, password: PASSWORD },
    headers: { origin },
  });
  if (!login.ok()) throw new Error(`the login was answered with HTTP ${login.status()}`);
  const storageState = await signedIn.storageState();
  const paint = async (address: string, useful: Parameters<typeof usefulPaintMs>[2]) => {
    const context = await browser.newContext({ ...WINDOW, storageState });
    const paintMs = await usefulPaintMs(context, address, useful);
    await context.close();
    return paintMs;
  };
  const home = { text: 'Latest requests', elements: 'main h1', atLeast: 1 };
  const operations = { text: '/v1/ocr', elements: 'nav li', atLeast: 5 };
  await paint(dashboardUrl, home); // PostgreSQL has read its tables then, as in service
  await paint(`${url}/docs/`, operations);
  const paints = { dashboard: [] as number[], reference: [] as number[] };
  for (let n = 0; n < PAINTS; n++) {
    paints.dashboard.push(await paint(dashboardUrl, home));
    paints.reference.push(await paint(`${url}/docs/`, operations));
  }
  return paints;
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))] ?? Number.NaN;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
