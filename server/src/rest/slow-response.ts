import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { jsonInTurns } from '../platform/turns/json-in-turns.ts';
import { isStreamed, type Reply } from './contract/reply.ts';
import { flow } from './send.ts';
import { holdSource } from './unread-bytes.ts';

/**
 * Sends an answer that may take long. Where it is not there after `afterMs`, the headers go out as 202, and then a space every
 * `beatMs`, so that nothing on the way gives up; the body then says in `http_status` what the status would have been.
 */
export async function sendSlowly(
  res: ServerResponse,
  reply: Promise<Reply>,
  times: { afterMs: number; beatMs: number },
  send: (reply: Reply) => Promise<void>,
): Promise<void> {
  let beat: NodeJS.Timeout | undefined;
  const commit = setTimeout(() => {
    if (res.headersSent || res.destroyed) return;
    res.writeHead(202, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no', // nginx would hold the beginning and the beats back to the end
    });
    res.flushHeaders();
    beat = setInterval(() => res.write(' '), times.beatMs);
  }, times.afterMs);
  try {
    const answer = await reply;
    if (!res.headersSent) return await send(answer);
    if (isStreamed(answer.body)) {
      answer.body.stream.destroy();
      throw new Error('an answer that was begun as JSON cannot be a stream');
    }
    const body = typeof answer.body === 'string' ? { text: answer.body } : answer.body;
    const json = jsonInTurns({ ...body, http_status: answer.status });
    clearInterval(beat);
    using _held = holdSource(res, json.held);
    await flow(Readable.from(json.pieces(), { objectMode: false }), res, json.size);
    res.end();
  } finally {
    clearTimeout(commit);
    clearInterval(beat);
  }
}
