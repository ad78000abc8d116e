import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { until } from '../house/until.ts';
import { WatchedPage } from '../house/watched-page.ts';
import { WebConsole } from '../house/web-console.ts';

const missing = missingChromium();
if (missing) console.log(`test/desktop/snapshots.test.ts: skipped, ${missing}`);

const DAY_MS = 86_400_000;

async function databases(page: Page): Promise<string[]> {
  const names = await page.evaluate<string[]>('indexedDB.databases().then((all) => all.map(({ name }) => name))');
  return names.filter((name) => name !== 'console-none').sort();
}

/** Runs `act` on the snapshots of a database, and answers what came of its request. */
function inStore<T>(page: Page, name: string, act: string): Promise<T> {
  return page.evaluate<T>(`new Promise((resolve, reject) => {
    const opened = indexedDB.open(${JSON.stringify(name)});
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const transaction = opened.result.transaction('snapshots', 'readwrite');
      const store = transaction.objectStore('snapshots');
      const request = ${act};
      transaction.oncomplete = () => (opened.result.close(), resolve(request?.result));
    };
  })`);
}

it.skipIf(missing)('keeps snapshots in number and age, and none of a gateway or key that is gone', async () => {
  await using shell = await WebConsole.start(null);
  await using watched = await WatchedPage.open(await sharedChromium());
  const { page } = watched;
  await page.goto(await shell.address());
  await page.getByRole('link', { name: 'Add a gateway' }).click();
  await page.getByRole('button', { name: 'Add a gateway' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Nowhere');
  await page.getByLabel('Address of its API').fill('http://127.0.0.1:9');
  await page.getByLabel('Operator’s key').fill('sk-ocr-one');
  await page.getByRole('button', { name: 'Save' }).click();
  const name = await until('its database is there', async () => (await databases(page))[0]);

  await page.evaluate("indexedDB.open('console-gone')");
  const puts = (count: number, beforeMs: number, prefix: string) =>
    `Array.from({ length: ${count} }, (_, n) => store.put({ data: {}, savedAtMs: Date.now() - ${beforeMs} - n }, '${prefix}' + n)).at(-1)`;
  await inStore(page, name, puts(700, 1000, 'late'));
  await inStore(page, name, puts(10, 8 * DAY_MS, 'old'));
  await page.reload();
  const kept = await until('what is too much is deleted', async () => {
    const keys = await inStore<string[]>(page, name, 'store.getAllKeys()');
    return keys.length <= 500 && keys;
  });
  expect(kept).toHaveLength(500);
  expect(kept).toContain('late0');
  expect(kept.filter((key) => key.startsWith('old') || key === 'late699')).toEqual([]);
  await until('what is of no gateway is deleted', async () => (await databases(page)).length === 1);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Operator’s key').fill('sk-ocr-another');
  await page.getByRole('button', { name: 'Save' }).click();
  await until('what the other key was answered is deleted', async () => {
    return (await inStore<number>(page, name, 'store.count()')) === 0;
  });
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove with its key' }).click();
  await until('its database is deleted with it', async () => (await databases(page)).length === 0);
});
