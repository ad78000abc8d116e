import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConsoleCore } from '../core/console-core.ts';
import type { ConsoleFiles } from '../core/page/console-files.ts';
import { contentPolicy, PAGE_HEADERS } from '../core/page/policy.ts';
import { AccessGuard } from './access-guard.ts';
import { BridgeSockets } from './bridge-sockets.ts';

/** Following a redirect from here would leave a `SameSite=Strict` cookie behind; a page of our own takes it along. */
const WELCOME = '<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>ocr-router console</title>';
const UNKEPT_HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
const WHO = 'Open the address that `npm run desktop:web` printed last: each has a secret that opens once.\n';

export interface WebParts {
  readonly core: ConsoleCore;
  readonly files: ConsoleFiles;
  /** 0: any that is free. */
  readonly port: number;
  /** Hears the address for the next browser, once one has come in by the former. */
  readonly onEntered: (next: string) => void;
}

/** The console for a browser on this machine: pages, and the bridge they speak through. */
export class ConsoleServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets: BridgeSockets;
  readonly #guard: AccessGuard;
  readonly #port: number;

  private constructor(parts: { server: Server; sockets: BridgeSockets; guard: AccessGuard; port: number }) {
    this.#server = parts.server;
    this.#sockets = parts.sockets;
    this.#guard = parts.guard;
    this.#port = parts.port;
  }

  static async start({ core, files, port, onEntered }: WebParts): Promise<ConsoleServer> {
    const server = createServer({ maxHeaderSize: 16 * 1024 }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const own = (server.address() as AddressInfo).port; // TCP: always an AddressInfo
    const guard = new AccessGuard(own);
    const sockets = new BridgeSockets(core);
    const origin = `http://127.0.0.1:${own}`;
    const entered = () => onEntered(addressOf(origin, guard));
    server.on('request', (req, res) => {
      const { status, headers, body } = answerTo(req, { guard, files, entered });
      res.writeHead(status, { ...PAGE_HEADERS, ...headers }).end(body);
    });
    server.on('upgrade', (req, socket, head) => {
      const isIn = guard.isOwnHost(req) && hasOwnOrigin(req, guard) && guard.hasCookie(req) && req.url === '/bridge';
      if (isIn) sockets.welcome(req, socket, head);
      else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    return new ConsoleServer({ server, sockets, guard, port: own });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** With the secret: for one who sits at this machine, and for one browser. */
  get address(): string {
    return addressOf(this.origin, this.#guard);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sockets.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Sockets know no CORS: any page of the world may ask for one, and always says where it comes from. */
function hasOwnOrigin(req: IncomingMessage, guard: AccessGuard): boolean {
  return req.headers.origin !== undefined && guard.isOwnOrigin(req);
}

function addressOf(origin: string, guard: AccessGuard): string {
  return `${origin}/open?secret=${guard.secret}`;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

interface Parts {
  readonly guard: AccessGuard;
  readonly files: ConsoleFiles;
  readonly entered: () => void;
}

function answerTo(req: IncomingMessage, { guard, files, entered }: Parts): Answer {
  if (!guard.isOwnHost(req)) return refusal(421, 'This address is answered under 127.0.0.1 only.\n');
  if (req.method !== 'GET' && req.method !== 'HEAD') return refusal(405, 'Pages are only read.\n');
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://127.0.0.1');
  if (pathname === '/open') {
    // A browser that is in already may follow its old link; one that only looks ahead (HEAD) uses nothing up.
    if (guard.isOwnOrigin(req) && guard.hasCookie(req)) return welcome(guard);
    if (req.method !== 'GET' || !guard.redeem(searchParams.get('secret'))) return refusal(403, WHO);
    entered();
    return welcome(guard);
  }
  if (!guard.isOwnOrigin(req) || !guard.hasCookie(req)) return refusal(403, WHO);
  if (pathname === '/') return page(files, `ws://${req.headers.host}`);
  const file = files.get(pathname);
  if (!file) return refusal(404, 'There is no such file.\n');
  const caching = file.hashed ? 'private, max-age=31536000, immutable' : 'no-cache';
  return { status: 200, headers: { 'content-type': file.type, 'cache-control': caching }, body: file.bytes };
}

function welcome(guard: AccessGuard): Answer {
  const policy = { 'content-security-policy': "default-src 'none'", 'set-cookie': guard.cookie };
  return { status: 200, headers: { ...UNKEPT_HTML, ...policy }, body: WELCOME };
}

function page(files: ConsoleFiles, sockets: string): Answer {
  const { html, nonce } = files.page({ scripts: ['/bridge.js'] });
  const policy = { 'content-security-policy': contentPolicy({ nonce, sockets }) };
  return { status: 200, headers: { ...UNKEPT_HTML, ...policy }, body: html };
}

function refusal(status: number, words: string): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: words };
}
