import { withClient } from '../../house/with-client.ts';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { removeWaiting, waitingOf } from '../waiting-requests.ts';
import { onceFor } from './once-for.ts';
import { PIXEL_INPUT, post } from './post.ts';

const WAITING = 3000;

const waiting = onceFor(async ({ databaseUrl, funded }) => {
  await post(funded, { engine: 'stuck', input: PIXEL_INPUT, mode: 'async' }, AbortSignal.timeout(30_000));
  return withClient(databaseUrl, (client) => waitingOf(client, funded.accountId, WAITING));
});

export const cancelledQueue = ending('ten callers who cancel what waits of their thousands', (id) => ({
  method: 'POST',
  path: `/v1/ocr/${id}/cancel`,
}));
export const deletedQueue = ending('ten callers who delete what waits of their thousands', (id) => ({
  method: 'DELETE',
  path: `/v1/ocr/${id}`,
}));

/** One after the other, from both ends of the queue, and again those that have ended. */
function ending(name: string, callOf: (id: string) => { method: string; path: string }): Attack {
  return {
    name,
    finding: 'S11',
    prepare: waiting,
    run: async (target, signal) => {
      const ids = await waiting(target);
      let n = 0;
      await persist(signal, { width: 10, pauseMs: 0 }, async () => {
        n += 1;
        const id = ids.at(n % 2 === 0 ? n % ids.length : -(n % ids.length)) ?? '';
        const { method, path } = callOf(id);
        await target.funded.caller.call(method, path, { signal });
      });
      await withClient(target.databaseUrl, (client) => removeWaiting(client, ids));
    },
  };
}
