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
  readonly seconds: number;
  readonly key: string | null;
  /** Paths that are asked for in turn; with a body file they are posted to. */
  readonly paths: readonly string[];
  readonly bodyFile: string | null;
}

export interface LoadReport {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly notOk: number;
  readonly firstNotOk: string | null;
  readonly cpuShare: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder; // written by the bench
const body = order.bodyFile ? readFileSync(order.bodyFile, 'utf8') : null;
const auth = order.key ? `authorization: Bearer ${order.key}\r\n` : '';
const latencies: number[] = [];
let notOk = 0;
let firstNotOk: string | null = null;
let asked = 0;
const begun = performance.now();
const end = begun + order.seconds * 1000;

function nextRequest(): string {
  const path = order.paths[asked++ % order.paths.length];
  const head = `${body === null ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nhost: bench\r\n${auth}`;
  if (body === null) return `${head}\r\n`;
  return `${head}idempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let received = '';
    let wanted = -1;
    const send = () => {
      received = '';
      wanted = -1;
      sentAt = performance.now();
      socket.write(nextRequest());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (wanted < 0) {
        const headEnd = received.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        wanted = headEnd + 4 + Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      }
      if (received.length < wanted) return;
      latencies.push(performance.now() - sentAt);
      if (!received.startsWith('HTTP/1.1 200')) {
        notOk++;
        firstNotOk ??= received.slice(0, 400);
      }
      if (performance.now() < end) return send();
      socket.end();
      resolve();
    });
  });
}

await Promise.all(Array.from({ length: order.clients }, client));
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const elapsedSeconds = (performance.now() - begun) / 1000;
const cpu = process.cpuUsage();
const report: LoadReport = {
  perSecond: latencies.length / elapsedSeconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  notOk,
  firstNotOk,
  cpuShare: (cpu.user + cpu.system) / 1e6 / elapsedSeconds,
};
console.log(JSON.stringify(report));
