import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { Caller } from '../../accounts/callers/caller.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { Waiters } from '../run/waiters.ts';
import type { Candidate } from '../store/accept/acceptance.ts';
import { Submissions, type SubmissionsDeps } from './submit.ts';

const CALLER = { accountId: 'acc_1', keyId: 'key_1', scopes: ['ocr:write'], history: true } as unknown as Caller;
const PICTURE = Buffer.concat([
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64'),
  Buffer.alloc(1_000_000),
]);

/** Everything but the end is there: an engine without a free place, a queue, and a caller who waits for the result. */
function waitingRoom(known: OcrRequest | null = null): {
  submissions: Submissions;
  held: WeakRef<Buffer>[];
  end(): void;
} {
  const held: WeakRef<Buffer>[] = [];
  const hold = (bytes: Buffer | null) => bytes && held.push(new WeakRef(bytes));
  const waiting = new Waiters();
  const engine = {
    id: 'reader',
    adapter: 'tesseract',
    status: 'available',
    accepts: ['png', 'base64'],
    tokenPrices: null,
    pricePerPage: 0n,
  };
  const how = { finishedAt: new Date(), status: 'succeeded', outcome: 'succeeded', effective: {} } as const;
  const ended = Object.assign(new OcrRequest(), how);
  const accepted = new Map<string, OcrRequest>();
  const deps = {
    catalogue: { require: () => engine, alikes: () => [] },
    availability: { require: () => undefined },
    allowPrivateCidrs: [],
    documents: { inspect: async () => ({ format: 'png', pages: 1, warnings: [], pieces: null }) },
    pressure: { requireMemory: () => undefined, join: () => ({ level: 0, ended: () => undefined }) },
    places: { reserve: () => null },
    store: { keep: async (_id: string, bytes: Buffer) => void hold(bytes) },
    acceptance: {
      accept: async ({ request, bytes }: Candidate) => {
        hold(bytes);
        accepted.set(request.id, request);
        return known ? { kind: 'known', requestId: known.id } : { kind: 'accepted', isOurs: true };
      },
    },
    lookup: { byId: async (id: string) => known ?? accepted.get(id) ?? null, byKey: async () => null },
    dispatch: { queued: () => undefined },
    changes: { publish: () => undefined },
    worker: { runs: () => false },
    passing: { delivered: () => undefined },
    waiting,
    syncLimitMs: 60_000,
  };
  const end = () => {
    for (const id of known ? [known.id] : accepted.keys()) waiting.resolve(Object.assign(ended, { id }));
  };
  return { submissions: new Submissions(deps as unknown as SubmissionsDeps), held, end };
}

function submit(submissions: Submissions): Promise<OcrRequest> {
  const input = { engine: 'reader', input: { type: 'base64', dataBase64: PICTURE.toString('base64') } };
  return submissions.submit(CALLER, { input, idempotencyKey: 'one', unknownFields: [] } as never);
}

/** What has read it, in a thread of its own or compiled meanwhile, may need a moment to let it go. */
const WITHIN = { timeout: 20_000 };

async function collected(held: WeakRef<Buffer>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 5; turn++) {
    await setImmediate();
    collect();
  }
  return held.filter((one) => one.deref() === undefined).length;
}

it('a call that waits for its turn in the queue does not hold its document', async () => {
  const { submissions, held, end } = waitingRoom();
  const answer = submit(submissions);
  await expect.poll(() => held.length).toBe(1);
  await expect.poll(() => collected(held), WITHIN).toBe(1);
  end();
  expect((await answer).outcome).toBe('succeeded');
});

it('nor does one that waits for the request of the same key', async () => {
  const known = Object.assign(new OcrRequest(), {
    id: 'ocr_known',
    fingerprint: null,
    status: 'processing',
    outcome: 'processing',
    mode: 'sync',
  });
  const { submissions, held, end } = waitingRoom(known);
  const answer = submit(submissions);
  await expect.poll(() => held.length).toBe(2);
  await expect.poll(() => collected(held), WITHIN).toBe(2);
  end();
  expect((await answer).outcome).toBe('succeeded');
});
