import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { listen } from '../../../test/house/listen.ts';
import { GrowingBuffer } from '../platform/memory/growing-buffer.ts';
import { Slices } from '../platform/turns/slices.ts';
import { DocumentFetcher, type FetcherOptions } from './fetch.ts';

const HERE: FetcherOptions = { maxBytes: 100_000, allowCidrs: ['127.0.0.1/32'] };
const DOCUMENT = randomBytes(50_000);
const BAD_REQUEST = { code: 'invalid_request', message: expect.stringMatching(/^input\.url: /) };

describe('DocumentFetcher', () => {
  it('fetches a document, without asking for compression or sending credentials', async () => {
    const headers: IncomingMessage['headers'][] = [];
    await using server = await listen((request, response) => {
      headers.push(request.headers);
      response.end(DOCUMENT);
    });
    await using fetcher = new DocumentFetcher(HERE);
    expect((await fetcher.fetch(`${server.url}/scan.png?a=1#b`)).equals(DOCUMENT)).toBe(true);
    expect(headers).toHaveLength(1);
    expect(headers[0]).toMatchObject({ 'accept-encoding': 'identity' });
    expect(Object.keys(headers[0] ?? {})).not.toEqual(expect.arrayContaining(['authorization']));
  });

  it('follows three redirects, relative ones too, and not a fourth', async () => {
    await using server = await listen((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(DOCUMENT);
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    await using fetcher = new DocumentFetcher(HERE);
    expect((await fetcher.fetch(`${server.url}/3`)).equals(DOCUMENT)).toBe(true);
    await expect(fetcher.fetch(`${server.url}/4`)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  });

  it.each([
    'http://127.0.0.2:PORT/',
    'http://2130706434:PORT/',
    'http://0x7f.2:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.2]:PORT/',
    'http://[64:ff9b::7f00:2]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://inside.example:PORT/',
    '//127.0.0.2:PORT/',
    'http://user:secret@127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.2:PORT/',
  ])('does not follow a redirect to %s', async (location) => {
    await using canary = await listen((_, response) => response.end(DOCUMENT), 'everywhere');
    await using server = await listen((_, response) => {
      response.writeHead(307, { location: location.replace('PORT', String(canary.port)) }).end();
    });
    await using fetcher = new DocumentFetcher({ ...HERE, lookup: resolve });
    await expect(fetcher.fetch(`http://outside.example:${server.port}/`)).rejects.toMatchObject(BAD_REQUEST);
    expect([server.hits, canary.hits]).toEqual([1, 0]);
  });

  it('answers a name inside the network as a bad request, before anything is sent', async () => {
    await using canary = await listen((_, response) => response.end(DOCUMENT), 'everywhere');
    await using fetcher = new DocumentFetcher({ ...HERE, lookup: resolve });
    await expect(fetcher.fetch(`http://inside.example:${canary.port}/`)).rejects.toMatchObject(BAD_REQUEST);
    expect(canary.hits).toBe(0);
  });

  it('tells by one and the same text that there is no document, whatever the cause', async () => {
    await using server = await listen(unwilling);
    await using fetcher = new DocumentFetcher({
      ...HERE,
      lookup: resolve,
      limits: { headersMs: 300, silenceMs: 300, patienceMs: 100, bytesPerSecond: 10_000 },
    });
    const urls = [
      ...['/404', '/500', '/304', '/too-large', '/endless', '/gzip', '/slow', '/silent', '/no-answer', '/hang-up'].map(
        (path) => server.url + path,
      ),
      ...['/cut-off', '/bad-location', '/no-location', '/flood'].map((path) => server.url + path),
      'http://nobody.example/',
      'http://127.0.0.1:1/',
    ];
    const failures = await Promise.all(urls.map((url) => fetcher.fetch(url).catch((error: unknown) => error)));
    const [first] = failures;
    expect(first).toMatchObject({ message: expect.stringMatching(/^input\.url: no document could be fetched/) });
    for (const [index, failure] of failures.entries()) {
      expect(failure, urls[index]).toMatchObject({ code: 'unprocessable_entity', message: (first as Error).message });
    }
  });

  it('hangs up on a body without end', async () => {
    const closed: Promise<unknown>[] = [];
    await using server = await listen((request, response) => {
      closed.push(once(response, 'close'));
      unwilling(request, response);
    });
    await using fetcher = new DocumentFetcher(HERE);
    await expect(fetcher.fetch(`${server.url}/endless`)).rejects.toMatchObject({ code: 'unprocessable_entity' });
    await expect(Promise.all(closed)).resolves.toHaveLength(1);
  });

  it('takes as many bytes as are allowed, and not one more', async () => {
    await using server = await listen((_, response) => response.end(DOCUMENT));
    await using exact = new DocumentFetcher({ ...HERE, maxBytes: DOCUMENT.length });
    await using short = new DocumentFetcher({ ...HERE, maxBytes: DOCUMENT.length - 1 });
    expect(await exact.fetch(server.url)).toHaveLength(DOCUMENT.length);
    await expect(short.fetch(server.url)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  });

  it('takes a body in hundreds of tiny pieces, and hangs up on one in pieces of a byte without end', async () => {
    await using server = await listen(({ url }, response) => {
      const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
      response.socket?.end(`${head}${'1\r\nx\r\n'.repeat(Number(url?.slice(1)))}0\r\n\r\n`);
    });
    await using fetcher = new DocumentFetcher(HERE);
    expect(await fetcher.fetch(`${server.url}/500`)).toEqual(Buffer.from('x'.repeat(500)));
    await expect(fetcher.fetch(`${server.url}/20000`)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  });

  it('passes by interim answers, and hangs up on a server that has too many of them', async () => {
    await using server = await listen(({ url }, response) => {
      const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(Number(url?.slice(1)));
      response.socket?.end(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`);
    });
    await using fetcher = new DocumentFetcher(HERE);
    expect(await fetcher.fetch(`${server.url}/10`)).toEqual(Buffer.from('x'));
    await expect(fetcher.fetch(`${server.url}/1000`)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  });

  it('looks at no more of a body that it has given up, whatever has come of it', async () => {
    await using server = await listen((_, response) => {
      const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
      response.socket?.end(`${head}${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`);
    });
    await using fetcher = new DocumentFetcher({ ...HERE, limits: { piecesRestMs: 0 } });
    const pieces = vi.spyOn(GrowingBuffer.prototype, 'push');
    await expect(fetcher.fetch(server.url)).rejects.toMatchObject({ code: 'unprocessable_entity' });
    expect(pieces.mock.calls.length).toBe(513);
    pieces.mockRestore();
  });

  it('lets others have their turn among the pieces that one reading of its socket has', async () => {
    await using server = await listen((_, response) => {
      const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
      response.socket?.end(`${head}${`10\r\n${'x'.repeat(16)}\r\n`.repeat(4000)}0\r\n\r\n`);
    });
    await using fetcher = new DocumentFetcher(HERE);
    const rests = vi.spyOn(Slices.prototype, 'next');
    await fetcher.fetch(server.url);
    expect(rests.mock.calls.length).toBe(15);
    rests.mockRestore();
  });

  it('gives up when its time is over, though bytes keep coming', async () => {
    await using server = await listen(unwilling);
    await using fetcher = new DocumentFetcher({ ...HERE, limits: { totalMs: 400 } });
    await expect(fetcher.fetch(`${server.url}/slow`)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  });

  it('stops when the caller gives up, and tells why', async () => {
    await using server = await listen(unwilling);
    await using fetcher = new DocumentFetcher(HERE);
    const controller = new AbortController();
    const fetching = fetcher.fetch(`${server.url}/no-answer`, controller.signal);
    controller.abort(new Error('gone'));
    await expect(fetching).rejects.toThrow('gone');
  });
});

/** A server that answers with everything but a document. */
function unwilling({ url }: IncomingMessage, response: ServerResponse): void {
  switch (url) {
    case '/404':
    case '/500':
    case '/304':
      return void response.writeHead(Number(url.slice(1))).end();
    case '/too-large':
      return void response.writeHead(200, { 'content-length': 10_000_000 }).write('x');
    case '/endless':
      return void pour(response, Buffer.alloc(65_536));
    case '/gzip':
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
    case '/slow':
      return void drip(response);
    case '/silent':
      return void response.writeHead(200).write('x');
    case '/hang-up':
      return void response.socket?.destroy();
    case '/cut-off':
      response.writeHead(200, { 'content-length': 1000 }).write('x'.repeat(500));
      return void setImmediate(() => response.socket?.destroy());
    case '/bad-location':
      return void response.writeHead(302, { location: 'http://[half' }).end();
    case '/no-location':
      return void response.writeHead(302).end();
    case '/flood':
      return void response.writeHead(200, { 'x-much': 'x'.repeat(100_000) }).end();
    default: // '/no-answer'
  }
}

function pour(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

/** The names of these tests. */
const resolve: LookupFunction = (hostname, _options, callback) => {
  const address = { 'outside.example': '127.0.0.1', 'inside.example': '127.0.0.2' }[hostname];
  if (!address) return callback(new Error(`no such name: ${hostname}`), []);
  callback(null, [{ address, family: 4 }]);
};
