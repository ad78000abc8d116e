import { fsyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineCall } from '../house/engine-call.ts';
import { chargeOf, type EngineName, type Marker, markerOf, TEXT, usageOf } from './marker.ts';

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A line of the call log. */
export interface LoggedCall extends Marker {
  readonly call: number;
  /** When it arrived, milliseconds since 1970. */
  readonly at: number;
  readonly engine: EngineName;
  /** What this call would cost the caller, if it is the one that counts. */
  readonly billedNanoUsd: number;
  /** The other side went away before it was answered: it died, or a busy machine made the answer late. */
  readonly aborted?: boolean;
}

const SLOW_MS = 700;

/**
 * The provider, in a process that nobody kills: `<port> <log file>`. Every call is on the disk before it is answered:
 * the log is what charges are judged by. A call whose answer nobody took gets a second line.
 */
const [port, logFile] = process.argv.slice(2);
const log = openSync(String(logFile), 'a');
let calls = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request streams Buffers
  const engine = request.url?.split('/')[1] as EngineName; // the run configures no other
  const marker = markerOf(await new EngineCall(engine, {}, JSON.parse(Buffer.concat(chunks).toString())).size());
  calls += 1;
  const line: LoggedCall = { call: calls, at: Date.now(), engine, ...marker, billedNanoUsd: chargeOf(engine, marker) };
  writeSync(log, `${JSON.stringify(line)}\n`);
  fsyncSync(log);
  if (marker.outcome === 'timeout') return; // the other side gives up
  response.once('close', () => {
    if (!response.writableFinished) writeSync(log, `${JSON.stringify({ call: line.call, aborted: true })}\n`);
  });
  if (marker.outcome === 'slow') await sleep(SLOW_MS);
  const [status, body] = answerTo(marker, calls);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.on('clientError', (_error, socket) => socket.destroy());
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));

function answerTo(marker: Marker, call: number): [status: number, body: unknown] {
  if (marker.outcome === 'error') return [500, { error: { message: 'overloaded', type: 'server_error' } }];
  const refused = marker.outcome === 'refusal';
  const message = { role: 'assistant', content: refused ? null : `${TEXT}${marker.serial}` };
  return [
    200,
    {
      id: `chatcmpl-${call}`,
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'scripted-1',
      choices: [
        { index: 0, finish_reason: 'stop', message: { ...message, ...(refused && { refusal: 'I will not.' }) } },
      ],
      usage: usageOf(marker),
    },
  ];
}
