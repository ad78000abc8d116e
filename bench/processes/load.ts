import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * Closed-loop load over raw keep-alive sockets: each client sends its next request when the last one was answered.
 * Argument: a JSON LoadOrder. Prints a JSON LoadReport.
 */
export interface LoadOrder {
  readonly port: number;
  readonly clients: number;
  /** 0: one request from each client. */
  readonly seconds: number;
  readonly key: string | null;
  /** Paths that are asked for in turn; with a body file they are posted to. */
  readonly paths: readonly string[];
  readonly bodyFile: string | null;
}

export interface LoadReport {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly notOk: number;
  readonly firstNotOk: string | null;
  /** Of one processor core: near 1 the load itself is what limits. */
  readonly cpuShare: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder; // written by the bench
const body = order.bodyFile ? readFileSync(order.bodyFile) : null;
const heads = order.paths.map(headFor);
const latenciesMs: number[] = [];
let notOk = 0;
let firstNotOk: string | null = null;
let asked = 0;

const begun = performance.now();
const end = begun + order.seconds * 1000;
const cpuBefore = process.cpuUsage();
await Promise.all(Array.from({ length: order.clients }, client));
console.log(JSON.stringify(report()));

function headFor(path: string): string {
  const auth = order.key ? `authorization: Bearer ${order.key}\r\n` : '';
  const head = `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nhost: bench\r\n${auth}`;
  return body ? `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n` : `${head}\r\n`;
}

function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let received = '';
    const send = () => {
      received = '';
      sentAt = performance.now();
      const head = heads[asked++ % heads.length] ?? '';
      if (!body) return void socket.write(head, 'latin1');
      socket.cork();
      socket.write(`${head}idempotency-key: ${randomUUID()}\r\n\r\n`, 'latin1');
      socket.write(body);
      socket.uncork();
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection was closed after: ${received.slice(0, 400)}`)));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const whole = wholeLength(received);
      if (whole === null || received.length < whole) return;
      note(received, performance.now() - sentAt);
      if (performance.now() < end) return send();
      resolve();
      socket.destroy();
    });
  });
}

/** Characters of the whole answer, null while its head is not complete. Answers in chunks are none of ours. */
function wholeLength(received: string): number | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  if (length === undefined) throw new Error(`an answer without its length: ${received.slice(0, 400)}`);
  return headEnd + 4 + Number(length);
}

function note(answer: string, latencyMs: number): void {
  latenciesMs.push(latencyMs);
  if (answer.startsWith('HTTP/1.1 200')) return;
  notOk++;
  firstNotOk ??= answer.slice(0, 1000);
}

function report(): LoadReport {
  const seconds = (performance.now() - begun) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? Number.NaN;
  return {
    answers: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    notOk,
    firstNotOk,
    cpuShare: (cpu.user + cpu.system) / 1e6 / seconds,
  };
}
