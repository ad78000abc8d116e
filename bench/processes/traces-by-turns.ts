import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import type * as Senders from '../../server/src/platform/tracing/span-sender.ts';
import type * as Spans from '../../server/src/platform/tracing/spans.ts';

/** What the product did while it traced every call, or none. */
export interface Turn {
  readonly isTraced: boolean;
  readonly answers: number;
  readonly ms: number;
  /** Of all its threads. */
  readonly cpuMs: number;
}

type Tracing = NonNullable<Parameters<typeof Spans.setTracing>[0]>;

/** Whatever gets faster or slower meanwhile counts for both alike. */
export const ORDER: readonly boolean[] = [true, false, false, true, false, true, true, false];
/** Short beside what comes and goes on a machine; long beside a request, a few of which are divided at each change. */
const TURN_MS = 100;

const { searchParams } = new URL(import.meta.url);
const collector = searchParams.get('collector');
const file = searchParams.get('to');
let answers = 0;
let turns: Turn[] | null = null;

/**
 * Loaded before the product, whose modules are not bundled (`--conditions=unbundled --import=URL?collector=URL&to=FILE`). From
 * SIGUSR2 on it traces by turns; each further one writes the turns since the last one to the file.
 */
if (isMainThread && collector && file) {
  subscribe('http.server.response.finish', () => answers++);
  process.on('SIGUSR2', () => {
    const taken = turns;
    turns = [];
    if (taken) writeFileSync(file, JSON.stringify(taken));
    else void takeTurns(`${collector}/v1/traces`);
  });
}

async function takeTurns(url: string): Promise<void> {
  const { SpanSender }: typeof Senders = await import(ofProduct('span-sender.js'));
  const { setTracing }: typeof Spans = await import(ofProduct('spans.js'));
  const sender = new SpanSender({ url, headers: {}, origin: { 'service.name': 'ocr-router', 'service.version': '0' } });
  const tracing: Tracing = { record: (span) => sender.add(span), isInShare: () => true, extract: () => undefined };
  for (;;) {
    const list = turns ?? [];
    const isTraced = ORDER[list.length % ORDER.length] ?? false;
    setTracing(isTraced ? tracing : null);
    list.push({ isTraced, ...(await measure()) });
  }
}

async function measure(): Promise<Omit<Turn, 'isTraced'>> {
  const before = { answers, cpu: process.cpuUsage(), at: performance.now() };
  await sleep(TURN_MS);
  const { user, system } = process.cpuUsage(before.cpu);
  return { answers: answers - before.answers, ms: performance.now() - before.at, cpuMs: (user + system) / 1000 };
}

function ofProduct(name: string): string {
  return new URL(`../../server/dist/platform/tracing/${name}`, import.meta.url).href;
}
