import { missingChromium, openChromium } from '../test/house/chromium.ts';
import { startProduct } from '../test/house/product.ts';
import { WebConsole } from '../test/house/web-console.ts';
import { adminOf } from './admin.ts';
import { builtBundleKb } from './console-bundle.ts';
import { beside, compare, type Row } from './measure.ts';
import { type Browser, enter, type Page, usefulPaintMs } from './paint.ts';
import { show } from './show.ts';
import { openGround } from './stage.ts';
import { longestTask, type TraceEvent } from './trace.ts';

const DAYS = '30';
const ROWS = 10_000;
/** A screenful at a time. */
const WHEEL_PX = 800;
const TRACED = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** The bars: a second, a task that is felt, the bundle's budget. */
const PAINT_MS = 1000;
const TASK_MS = 50;
const BUNDLE_KB = 400;

/** The built console in a browser, over its local server, on a gateway with thirty days of traffic. */
export async function benchConsole({ rounds }: { rounds: number }): Promise<Row[]> {
  const missing = missingChromium();
  if (missing) {
    console.log(`\nThe console: skipped: ${missing}`);
    return [];
  }
  await using stack = new AsyncDisposableStack();
  const { databaseUrl } = stack.use(await openGround());
  const product = stack.use(await startProduct({ databaseUrl }));
  const web = stack.use(await WebConsole.start({ url: product.url, token: await seed(databaseUrl) }));
  const browser = await openChromium();
  stack.defer(() => browser.close());

  await firstUsefulPaintMs(browser, web); // PostgreSQL has read its tables then, as in service
  const paints: number[] = [];
  const tasks: ReturnType<typeof longestTask>[] = [];
  for (let round = 0; round < rounds; round++) {
    paints.push(await firstUsefulPaintMs(browser, web));
    tasks.push(await scrolled(browser, web));
  }
  const limit = { unit: 'ms', better: 'less', bar: 1 } as const;
  const walls = beside(
    tasks.map(({ wallMs }) => wallMs),
    TASK_MS,
  );
  const processors = beside(
    tasks.map(({ processorMs }) => processorMs),
    TASK_MS,
  );
  const rows = [
    compare({ what: 'overview: first useful paint', ...limit }, beside(paints, PAINT_MS), Number),
    compare({ what: `${ROWS} rows scrolled: longest task`, ...limit }, walls, Number),
    compare({ what: '… what it took of a processor', ...limit, bar: null }, processors, Number),
    compare({ what: 'JavaScript, gzipped', ...limit, unit: 'kB' }, beside([await builtBundleKb()], BUNDLE_KB), Number),
  ];
  show(`The console in ${browser.version()}, nothing cached; anchor: the limit`, rows);
  return rows;
}

/** Fills the gateway; a key for its operator. */
async function seed(databaseUrl: string): Promise<string> {
  const admin = adminOf(databaseUrl);
  await admin('demo', 'seed', '--days', DAYS);
  const { account_id = '' } = await admin('account', 'create', '--email', 'bench@localhost', '--tier', 'unlimited');
  const { api_key = '' } = await admin('key', 'create', '--account', account_id, '--scopes', 'operator,ocr:read');
  return api_key;
}

/** From the call of the page until the picture with the figures, the engines and the last requests. */
async function firstUsefulPaintMs(browser: Browser, web: WebConsole): Promise<number> {
  const context = await enter(browser, web);
  const useful = { text: 'engines healthy', elements: 'main tbody tr', atLeast: 10 };
  const paintMs = await usefulPaintMs(context, new URL('/', web.origin).href, useful);
  await context.close();
  return paintMs;
}

/** Scrolls the feed down until it has so many rows, and up again; the longest task of the page meanwhile. */
async function scrolled(browser: Browser, web: WebConsole) {
  const context = await enter(browser, web);
  const page = await context.newPage();
  await page.goto(new URL('/#/requests', web.origin).href);
  await page.locator('main [role=grid] tbody tr').nth(20).waitFor();
  await page.mouse.move(700, 500);
  await browser.startTracing(page, { categories: TRACED });
  while ((await rowCount(page)) < ROWS) await page.mouse.wheel(0, WHEEL_PX);
  for (let px = ROWS * 32; px > 0; px -= WHEEL_PX) await page.mouse.wheel(0, -WHEEL_PX);
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] }; // Chromium's format
  await context.close();
  return longestTask(trace.traceEvents);
}

async function rowCount(page: Page): Promise<number> {
  return Number(await page.locator('main [role=grid]').getAttribute('aria-rowcount')) - 1;
}
