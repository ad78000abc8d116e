import { describe, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { expectError } from '../house/expect-error.ts';
import { newPerson } from '../house/person.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

function open(path: string, method = 'GET', headers: Record<string, string> = HTML): Promise<Response> {
  return fetch(`${house.product.dashboardUrl}${path}`, { method, headers });
}

describe('the pages of the dashboard', () => {
  it('are one page at every address that a browser opens', async () => {
    for (const path of [
      '/',
      '/keys',
      '/requests/ocr_00000000000000000000000000',
      '/requests?status=failed',
      '/nowhere',
    ]) {
      const response = await open(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toMatch('text/html');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const text = await response.text();
      expect(text).toMatch('<div id="root">');
      expect(text).toMatch('<meta name="description"');
    }
  });

  it('say whether the browser brought what may be a session', async () => {
    expect(await (await open('/')).text()).toMatch('<meta name="session" content="none"');
    const cookie = { ...HTML, cookie: 'other=1; session=ended' };
    expect(await (await open('/', 'GET', cookie)).text()).toMatch('<meta name="session" content="perhaps"');
  });

  it('are not given to programs, nor at the addresses of programs, nor to other methods', async () => {
    const browser = new Browser(house.product);
    expectError(await browser.get('/keys'), 404, 'not_found');
    for (const path of ['/api/nothing', '/assets/nothing.js', '/static/nothing.png', '/.well-known/nothing']) {
      const response = await open(path);
      expect(response.status, path).toBe(404);
      expect(response.headers.get('content-type')).toMatch('application/json');
    }
    expect((await open('/keys', 'POST')).status).toBe(404);
  });

  it('allow nothing but their own files, the API, and styles with the nonce of this one answer', async () => {
    const nonces = new Set<string>();
    for (let round = 0; round < 2; round += 1) {
      const response = await open('/');
      const policy = response.headers.get('content-security-policy') ?? '';
      const nonce = /style-src 'self' 'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? '';
      nonces.add(nonce);
      expect(await response.text()).toMatch(`<meta name="csp-nonce" content="${nonce}"`);
      for (const rule of [`default-src 'none'`, `script-src 'self';`, `frame-ancestors 'none'`, `base-uri 'none'`]) {
        expect(policy).toMatch(rule);
      }
      expect(policy).toMatch(`connect-src 'self' ${house.product.url} ${house.product.url.replace('http', 'ws')}`);
      expect(policy).not.toMatch(/unsafe|\*/);
    }
    expect(nonces.size).toBe(2);
  });

  it('have no script of their own inside, and name only files that are there and never change', async () => {
    const page = await (await open('/')).text();
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(1);
    for (const path of files) {
      const response = await open(path, 'GET', {});
      expect(response.status, path).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('name the code of the page at their address, which is there, to whoever may be signed in', async () => {
    const cookie = { ...HTML, cookie: 'session=perhaps' };
    const named = async (path: string, headers: Record<string, string>) => {
      const text = await (await open(path, 'GET', headers)).text();
      return [...text.matchAll(/<link rel="modulepreload"[^>]* href="(\/assets\/[^"]+)"/g)].map(
        ([, file = '']) => file,
      );
    };
    for (const [path, page] of [
      ['/keys', 'keys-page'],
      ['/requests?status=failed', 'requests-page'],
      ['/requests/ocr_00000000000000000000000000', 'request-page'],
      ['/usage', 'usage-page'],
    ] as const) {
      const files = await named(path, cookie);
      expect(files.join(' '), path).toMatch(`/assets/${page}-`);
      expect(new Set(files).size, path).toBe(files.length);
      for (const file of files) expect((await open(file, 'GET', {})).status, file).toBe(200);
      expect((await named(path, HTML)).join(' '), path).not.toMatch(`/assets/${page}-`);
    }
    expect((await named('/nowhere', cookie)).join(' ')).not.toMatch('-page-');
  });

  it('say themselves what the page at their address is for, to whoever may be signed in', async () => {
    const cookie = { ...HTML, cookie: 'session=perhaps' };
    const text = async (path: string, headers: Record<string, string>) => (await open(path, 'GET', headers)).text();
    expect(await text('/keys?new', cookie)).toMatch('<h1>Keys</h1><p>Programs call the API with a key.');
    expect(await text('/requests/ocr_00000000000000000000000000', cookie)).not.toMatch('<h1>');
    expect(await text('/keys', HTML)).not.toMatch('<h1>');
    for (const path of ['/keys', '/nowhere']) expect(await text(path, cookie)).not.toMatch(/page-head|%[A-Z]+%/);
  });

  it('come packed to whoever takes Brotli, and are the same', async () => {
    const [, path = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await open('/')).text()) ?? [];
    const browser = new Browser(house.product);
    const packed = await open(path, 'GET', { 'accept-encoding': 'br' });
    const plain = await browser.get(path, { headers: { 'accept-encoding': 'identity' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(await packed.text()).toBe(plain.text); // fetch unpacks by itself
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
  });

  it('get large answers packed where the browser takes that, and small ones as they are', async () => {
    const browser = new Browser(house.product);
    const person = await newPerson(house);
    await browser.login(person.email, person.password);
    const ask = (query: string, encoding: string) =>
      fetch(`${house.product.dashboardUrl}/graphql`, {
        method: 'POST',
        headers: {
          cookie: browser.cookie,
          origin: browser.origin,
          'content-type': 'application/json',
          'accept-encoding': encoding,
        },
        body: JSON.stringify({ query }),
      });
    const names = Array.from({ length: 30 }, (_, n) => `${'i'.repeat(150)}${n}: id`);
    const large = `{ account { ${names.join(' ')} } }`;
    const packed = await ask(large, 'gzip');
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toMatch('Accept-Encoding');
    const plain = await ask(large, 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    const text = await plain.text();
    expect(text).toMatch(person.accountId);
    expect(await packed.text()).toBe(text); // fetch unpacks by itself
    expect((await ask('{ account { id } }', 'gzip')).headers.get('content-encoding')).toBeNull();
  });

  it('cannot be broken out of by a host name', async () => {
    const { status, text } = await new Browser(house.product).call('GET', '/', {
      headers: { ...HTML, host: `a"onload="x` },
    });
    if (status === 200) expect(text).not.toMatch('"onload="');
    else expect(status).toBe(400);
  });

  it('do not let a path reach out of their folder', async () => {
    for (const path of ['/assets/..%2f..%2fpackage.json', '/static/%2e%2e/index.html', '/assets/../index.html']) {
      const text = await (await open(path)).text();
      expect(text, path).not.toMatch('@ocr-router/dashboard');
      expect(text, path).not.toMatch('%NONCE%');
    }
  });
});
