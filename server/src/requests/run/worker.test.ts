import { expect, it } from 'vitest';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError } from '../../engines/model/stop-reasons.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { Claimed } from '../store/leases.ts';
import { Worker, type WorkerDeps } from './worker.ts';

const ENGINE = { id: 'reader', concurrency: 4 } as Engine; // all that a worker looks at

function claimed(id: string): Claimed {
  return { request: Object.assign(new OcrRequest(), { id, fence: 1, requestedEngine: ENGINE.id }), bytes: null };
}

/** Its runs last until they are stopped. */
function openWorker(queued: readonly Claimed[], suspects: readonly Claimed[]) {
  const stops = new Map<string, AbortSignal>();
  const claims = (requests: readonly Claimed[]) => async () => ({ claimed: [...requests], isMore: false });
  const worker = new Worker({
    runner: {
      run: ({ request }: Claimed, { signal }: AbortController) => {
        stops.set(request.id, signal);
        const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
        return signal.aborted ? Promise.resolve('over') : stopped.then(() => 'over');
      },
    },
    leases: { claim: claims(queued), claimSuspects: claims(suspects) },
    heartbeat: { isAlive: true, serve: () => undefined, countStart: () => 1 },
    catalogue: { find: () => ENGINE },
  } as unknown as WorkerDeps); // what these tests reach
  return { worker, stops };
}

it('begins what it tries alone when nothing else runs', async () => {
  const { worker, stops } = openWorker([claimed('ocr_other')], [claimed('ocr_suspect')]);
  await worker.take(ENGINE.id);
  await worker.takeSuspects(ENGINE.id, { alone: true });
  expect([...stops.keys()]).toEqual(['ocr_other']);
  worker.cancel('ocr_other');
  await expect.poll(() => [...stops.keys()]).toEqual(['ocr_other', 'ocr_suspect']);
  expect(stops.get('ocr_suspect')?.aborted).toBe(false);
});

it('ends at once what is cancelled while it waits to be tried alone, and goes on with the queue', async () => {
  const { worker, stops } = openWorker([claimed('ocr_other')], [claimed('ocr_suspect')]);
  await worker.take(ENGINE.id);
  await worker.takeSuspects(ENGINE.id, { alone: true });
  worker.cancel('ocr_suspect');
  expect(stops.get('ocr_suspect')?.reason).toBeInstanceOf(CancelledError);
  expect(stops.get('ocr_other')?.aborted).toBe(false);
  await expect.poll(() => worker.runningCount).toBe(1);
  expect(worker.reserve(ENGINE)).not.toBeNull();
});
