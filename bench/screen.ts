import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../test/house/caller.ts';
import { fails, says } from '../test/house/engine-answers.ts';
import { ocrBody } from '../test/house/ocr-body.ts';
import { picture } from '../test/house/pictures.ts';
import type { ScriptedEngines } from '../test/house/scripted-engines.ts';
import type { Page } from './paint.ts';

const EVERY_MS = 1000;
const EVENTS_PER_SECOND = 5;
const HEALTHY_CALLS = 5;
const DOWN_LIMIT_MS = 120_000;
/** A row that takes longer than this is never to come. */
const ROW_LIMIT_MS = 30_000;
const GARBAGE_EVERY_MS = 5000;
/** Of a short measurement, too, each third has some. */
const LEAST_LOOKS = 9;
/** Rows that the page remembers having told of: more than it shows. */
const REMEMBERED = 200;

/** From the first failed answer of a provider, at one request a second, until the open console shows its engine as down. */
export async function downOnScreenMs(
  page: Page,
  caller: Caller,
  { engines, id }: { readonly engines: ScriptedEngines; readonly id: string },
): Promise<number> {
  let failedAt = 0;
  let sent = 0;
  engines.script(id, () => {
    if (sent <= HEALTHY_CALLS) return says('well');
    failedAt ||= performance.now();
    return fails(500, 'the provider is off');
  });
  const stop = new AbortController();
  const sending = (async () => {
    while (!stop.signal.aborted) {
      sent += 1;
      await caller.ocr(ocrBody(id, await picture()));
      await sleep(EVERY_MS);
    }
  })();
  await page.locator(`article[data-state="down"]`).filter({ hasText: id }).waitFor({ timeout: DOWN_LIMIT_MS });
  const shownAt = performance.now();
  stop.abort();
  await sending;
  return shownAt - failedAt;
}

/** What came of watching the list of requests while they were sent. */
export interface Watched {
  /** From the sending of each request until the picture with its row. */
  readonly rowMs: readonly number[];
  /** The page's memory in use after a collection of garbage, in order. */
  readonly heapMb: readonly number[];
}

/** Five requests a second for so many seconds, before the open list of requests. */
export async function watchRequests(
  page: Page,
  caller: Caller,
  { engine, seconds }: { readonly engine: string; readonly seconds: number },
): Promise<Watched> {
  const seenAt = new Map<string, number>();
  await page.exposeFunction('rowSeen', (id: string, atMs: number) => {
    if (!seenAt.has(id)) seenAt.set(id, atMs);
  });
  await page.evaluate(tellOfRows, REMEMBERED);
  const devtools = await page.context().newCDPSession(page);
  await untilFollowed(caller, engine, seenAt);
  const heapMb: number[] = [];
  const sentAt = new Map<string, number>();
  const answers: Promise<void>[] = [];
  const collectEveryMs = Math.min(GARBAGE_EVERY_MS, (1000 * seconds) / LEAST_LOOKS);
  const begun = performance.now();
  let collectAt = begun;
  for (let n = 1; n <= seconds * EVENTS_PER_SECOND; n++) {
    answers.push(send(caller, engine, sentAt));
    if (performance.now() >= collectAt) {
      collectAt += collectEveryMs;
      await devtools.send('HeapProfiler.collectGarbage');
      heapMb.push((await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6);
    }
    await sleep(Math.max(0, begun + (1000 * n) / EVENTS_PER_SECOND - performance.now()));
  }
  await Promise.all(answers);
  const deadline = performance.now() + ROW_LIMIT_MS;
  const missing = () => [...sentAt.keys()].filter((id) => !seenAt.has(id));
  while (missing().length > 0 && performance.now() < deadline) await sleep(100);
  if (missing().length > 0) throw new Error(`${missing().length} of ${sentAt.size} requests never came to the screen`);
  return { rowMs: [...sentAt].map(([id, at]) => (seenAt.get(id) ?? Number.NaN) - at), heapMb };
}

/** A list is there before the page's subscription is: the first request that comes to it says that both are. */
async function untilFollowed(caller: Caller, engine: string, seenAt: ReadonlyMap<string, number>): Promise<void> {
  const sent = new Map<string, number>();
  const deadline = performance.now() + ROW_LIMIT_MS;
  while (![...sent.keys()].some((id) => seenAt.has(id))) {
    if (performance.now() > deadline) throw new Error('no request came to the screen');
    await send(caller, engine, sent);
    await sleep(EVERY_MS);
  }
}

async function send(caller: Caller, engine: string, sentAt: Map<string, number>): Promise<void> {
  const document = await picture();
  const at = Date.now();
  const { status, body } = await caller.ocr(ocrBody(engine, document));
  if (status !== 200) throw new Error(`HTTP ${status} where requests were to be read`);
  sentAt.set(String(body.request_id), at);
}

/** Runs in the page: tells of each request's id, once, when the picture with its row is made. */
function tellOfRows(remembered: number): void {
  const told = new Set<string>();
  const tell = (window as unknown as { rowSeen: (id: string, atMs: number) => void }).rowSeen; // exposed by the caller
  const look = (): void => {
    const atMs = Date.now();
    for (const row of document.querySelectorAll('main [role=grid] tbody tr')) {
      const id = /ocr_[0-9A-Z]{26}/.exec(row.textContent ?? '')?.[0];
      if (id === undefined || told.has(id)) continue;
      told.add(id);
      tell(id, atMs);
    }
    for (const id of told) {
      if (told.size <= remembered) break;
      told.delete(id);
    }
  };
  const place = document.querySelector('main') ?? document.body;
  new MutationObserver(() => requestAnimationFrame(look)).observe(place, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}
