import { expect, it } from 'vitest';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError } from '../../engines/model/stop-reasons.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { RunPlace } from '../places/run-place.ts';
import type { Claim, Claimed } from '../store/leases.ts';
import { Worker, type WorkerDeps } from './worker.ts';

const ACCOUNT = 'account';
const ENGINE = { id: 'reader', concurrency: 4 } as Engine; // all that a worker looks at

function claimed(id: string): Claimed {
  const request = Object.assign(new OcrRequest(), { id, fence: 1, requestedEngine: ENGINE.id, accountId: ACCOUNT });
  return { request, bytes: null };
}

type ClaimCall = (engine: Engine, places: number, without: readonly string[]) => Promise<Claim>;

const claims = (requests: readonly Claimed[]) => async () => ({ claimed: [...requests], isMore: false });

/** Its runs last until they are stopped, or do `work`. */
function openWorker(
  queued: readonly Claimed[],
  suspects: readonly Claimed[],
  claim: ClaimCall = claims(queued),
  work?: (place: RunPlace, signal: AbortSignal) => Promise<void>,
) {
  const stops = new Map<string, AbortSignal>();
  const worker = new Worker({
    runner: {
      run: ({ request }: Claimed, { signal }: AbortController, place: RunPlace) => {
        stops.set(request.id, signal);
        if (work) return work(place, signal).then(() => 'over');
        const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
        return signal.aborted ? Promise.resolve('over') : stopped.then(() => 'over');
      },
    },
    leases: { claim, claimSuspects: claims(suspects) },
    heartbeat: { isAlive: true, attach: () => undefined, countStart: () => 1 },
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
  expect(worker.reserve(ENGINE, ACCOUNT)).not.toBeNull();
});

it('claims once more for a place that was given back while it claimed', async () => {
  const answer = Promise.withResolvers<{ claimed: Claimed[]; isMore: boolean }>();
  const asked: number[] = [];
  const claim = (_engine: Engine, places: number) => {
    asked.push(places);
    return asked.length === 1 ? answer.promise : Promise.resolve({ claimed: [], isMore: false });
  };
  const { worker } = openWorker([], [], claim);
  const places = Array.from({ length: 3 }, () => worker.reserve(ENGINE, ACCOUNT));
  worker.noteQueued(ENGINE.id);
  await expect.poll(() => asked).toEqual([1]);
  for (const place of places) place?.release();
  answer.resolve({ claimed: [claimed('ocr_first')], isMore: false });
  await expect.poll(() => asked).toEqual([1, 3]);
});

it('leaves out an account that waits for as many documents as it may, and begins again when one has come', async () => {
  const documents = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const waiting = documents.values();
  const leftOut: (readonly string[])[] = [];
  const claim = async (_engine: Engine, _places: number, without: readonly string[]) => {
    leftOut.push(without);
    return { claimed: leftOut.length === 1 ? documents.map((_, i) => claimed(`ocr_${i}`)) : [], isMore: false };
  };
  const { worker } = openWorker([], [], claim, async (place, signal) => {
    await place.beside(waiting.next().value?.promise ?? Promise.resolve(), signal);
  });
  await worker.take(ENGINE.id);
  const isFreeFor = (accountId: string) => {
    const place = worker.reserve(ENGINE, accountId);
    place?.release();
    return place !== null;
  };
  await expect.poll(() => isFreeFor(ACCOUNT)).toBe(false);
  expect(isFreeFor('another')).toBe(true);
  worker.noteQueued(ENGINE.id);
  await expect.poll(() => leftOut.at(-1)).toEqual([ACCOUNT]);
  const before = leftOut.length;
  documents[0]?.resolve();
  await expect.poll(() => leftOut.length).toBeGreaterThan(before);
  expect(leftOut.at(-1)).toEqual([]);
});
