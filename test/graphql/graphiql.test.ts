import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { missingChromium, sharedChromium } from '../house/chromium.ts';
import { sharedHouse } from '../house/shared-house.ts';

const missing = missingChromium();
if (missing) console.log(`skipped: ${missing}`);
const browser = missing ? null : await sharedChromium();
const house = await sharedHouse();

it('serves an explorer that needs nothing from elsewhere', async () => {
  const page = await house.stranger.get('/graphiql');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  // Not by `toMatch`: nine megabytes are no text for a message.
  expect(/<(script|link|img)[^>]+(src|href)="https?:/.test(page.text)).toBe(false);
  const script = page.text.slice(page.text.indexOf('<script>') + 8, page.text.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const own = new URL(house.product.url).host;
  expect(page.headers['content-security-policy']).toContain(`connect-src 'self' ws://${own} wss://${own};`);
});

it('serves it as small as the caller takes it, the same in each form', async () => {
  const page = (accepted: string) =>
    house.stranger.open('GET', '/graphiql', { headers: { 'accept-encoding': accepted } });
  const forms = await Promise.all(['gzip, deflate, br, zstd', 'gzip', 'identity', 'br;q=0, gzip;q=0.5', '*'].map(page));
  expect(forms.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined, 'gzip', undefined]);
  const [brotli, gzip, plain] = await Promise.all(forms.map(({ stream }) => buffer(stream)));
  if (!brotli || !gzip || !plain) throw new Error('five answers came');
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(hash(brotliDecompressSync(brotli))).toBe(hash(plain));
  expect(hash(gunzipSync(gzip))).toBe(hash(plain));
  expect(brotli.length).toBeLessThan(gzip.length);
});

it.skipIf(browser === null)('runs, and remembers a key no longer than its tab', async () => {
  const context = await browser?.newContext();
  const page = await context?.newPage();
  if (!context || !page) throw new Error('skipped above');
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${house.product.url}/graphiql`);
  await page.waitForSelector('.graphiql-container', { timeout: 90_000 }); // megabytes of script
  const where = await page.evaluate(`(() => {
    localStorage.setItem('graphiql:headers', 'sk-ocr-typed');
    return sessionStorage.getItem('graphiql:headers');
  })()`);
  expect(where).toBe('sk-ocr-typed');
  const other = await context.newPage();
  await other.goto(`${house.product.url}/graphiql`);
  expect(await other.evaluate(`localStorage.getItem('graphiql:headers')`)).not.toBe('sk-ocr-typed');
  expect(complaints).toEqual([]);
  await context.close();
});
