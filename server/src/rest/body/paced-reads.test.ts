import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { noteTinyPieces, type PacedReads, paceReads } from './paced-reads.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const MANY = 40_000;
/** What a piece costs here, whatever the machine: some hundreds are a slice. */
const PIECE_MS = 0.005;
const IN_BYTES = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\nA\r\n'.repeat(MANY)}0\r\n\r\n`;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Open {
  readonly server: Server;
  /** The connections of a peer that has sent tiny pieces. */
  readonly paced: PacedReads[];
  /** Parts that were parsed of a connection that had been ended. */
  readonly late: Buffer[];
  /** Sends that, and collects what comes. */
  send(text: string): { readonly socket: Socket; read(): string };
}

async function open(listener: RequestListener, isSuspect = true): Promise<Open> {
  const server = createServer(listener);
  const paced: PacedReads[] = [];
  const late: Buffer[] = [];
  server.on('connection', (socket) => {
    if (!isSuspect) return;
    const [parse] = socket.listeners('data');
    socket.removeAllListeners('data').on('data', (part: Buffer) => {
      if (socket.destroyed) late.push(part);
      parse?.call(socket, part);
    });
    noteTinyPieces(socket);
    const reads = paceReads(socket);
    if (reads) paced.push(reads);
  });
  server.listen(0, '127.0.0.1');
  await until('it listens', () => server.listening);
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    server,
    paced,
    late,
    send(text) {
      const pieces: Buffer[] = [];
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      socket.on('data', (piece) => pieces.push(piece)).write(text);
      closing.push(() => socket.destroy());
      return { socket, read: () => Buffer.concat(pieces).toString() };
    },
  };
}

/** Answers how many bytes and pieces a body had. */
const counting: RequestListener = (req, res) => {
  let [bytes, pieces] = [0, 0];
  req.on('data', (piece: Buffer) => {
    bytes += piece.length;
    pieces++;
  });
  req.on('end', () => res.end(`${bytes} bytes in ${pieces} pieces`));
};

/** The most pieces of a body that came in one turn of the event loop. */
async function mostInATurn(isSuspect: boolean): Promise<number> {
  let [most, inTurn, isOver] = [0, 0, false];
  const { send } = await open((req, res) => {
    req.on('data', () => {
      inTurn++;
      const untilMs = performance.now() + PIECE_MS;
      while (performance.now() < untilMs);
    });
    req.on('end', () => {
      isOver = true;
      res.end();
    });
  }, isSuspect);
  send(IN_BYTES);
  while (!isOver) {
    most = Math.max(most, inTurn);
    inTurn = 0;
    await turn();
  }
  return most;
}

it('parses tiny pieces of a suspect with turns for others, and of nobody else', async () => {
  expect(await mostInATurn(false)).toBeGreaterThan(8000);
  expect(await mostInATurn(true)).toBeLessThan(4000);
  expect(paceReads(new Socket())).toBeNull();
});

it('takes every body whole, one after the other on a connection', async () => {
  const { server, send, paced } = await open(counting);
  const { read } = send(`${IN_BYTES}${IN_BYTES}${HEAD}Content-Length: 3\r\n\r\nabc`);
  await until('all are answered', () => read().includes('3 bytes in 1 pieces'));
  expect(read().split(`${MANY} bytes in ${MANY} pieces`)).toHaveLength(3);
  expect(paced).toHaveLength(1);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const size of [0, 2048, 2049, 5_000_000]) {
    const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(size) });
    expect(await answer.text()).toMatch(new RegExp(`^${size} bytes `));
  }
});

it('lets the server stop reading while its answers are not read', async () => {
  const seen: IncomingMessage[] = [];
  const { send } = await open((req, res) => {
    seen.push(req);
    res.end('x'.repeat(100_000));
  });
  const many = 400; // in more than two parts, and more answers than a connection holds
  const { socket, read } = send(`GET / HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(many));
  socket.pause();
  await until('some are answered', () => seen.length > 0);
  await sleep(200);
  expect(seen.length).toBeLessThan(many);
  socket.resume();
  await until('all are answered', () => read().split('HTTP/1.1 200').length === many + 1 && seen.length === many);
});

it('ends a connection behind what it brought before its end', async () => {
  const ended: number[] = [];
  const { send } = await open((req, res) => {
    let bytes = 0;
    req.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    req.on('end', () => {
      ended.push(bytes);
      res.end('taken');
    });
    req.on('error', () => ended.push(-1));
  });
  const { socket, read } = send(IN_BYTES);
  socket.end();
  await until('it was taken', () => read().includes('taken'));
  expect(ended).toEqual([MANY]);
  const cut = send(IN_BYTES.slice(0, -5));
  cut.socket.end();
  await until('the second was cut off', () => ended.length === 2);
  expect(ended[1]).toBe(-1);
});

it('hands what came behind an upgrade on', async () => {
  const { server, paced, send } = await open(counting);
  const heads: string[] = [];
  server.on('upgrade', (_, socket, head) => {
    const rest = paced[0]?.release();
    heads.push(Buffer.concat([head, rest ?? Buffer.alloc(0)]).toString());
    socket.on('data', (piece: Buffer) => heads.push(piece.toString())).resume();
  });
  const behind = 'b'.repeat(5000);
  const { socket } = send(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Long: ${'x'.repeat(3000)}\r\n\r\n${behind}`,
  );
  await until('it is upgraded', () => heads.join('').length === behind.length);
  socket.write('later');
  await until('what comes later comes, too', () => heads.join('') === `${behind}later`);
});

it('parses nothing more of a connection that is gone, whose parser is another’s by then', async () => {
  let closed = 0;
  const { server, late, send } = await open((req, res) => {
    if (req.method === 'GET') return void res.end('of another');
    req.once('data', () => req.destroy());
    req.once('close', () => {
      closed++;
    });
  });
  const errors: unknown[] = [];
  server.on('clientError', (error, socket) => {
    errors.push(error);
    socket.destroy();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let n = 0; n < 5; n++) {
    const { socket } = send(IN_BYTES);
    socket.end();
    // Nobody here makes tunnels: the server ends such a connection, whatever comes behind.
    const tunnel = send(`CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(3000)}\r\n\r\n${'y'.repeat(20_000)}`);
    const others = Array.from({ length: 5 }, async () => (await fetch(url)).text());
    await until('both are closed', () => closed === n + 1 && socket.destroyed && tunnel.socket.destroyed);
    expect(await Promise.all(others)).toEqual(Array.from({ length: 5 }, () => 'of another'));
  }
  expect([errors, late]).toEqual([[], []]);
});
