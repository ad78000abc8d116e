import { expect, it } from 'vitest';
import type { Caller } from '../../accounts/callers/caller.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { Replays, type ReplaysDeps } from './replays.ts';

const CALLER = {} as Caller;
const SENT = { caller: CALLER, isSame: (print: string) => print === '1:same', bytes: null, onRequest: undefined };

/** Nothing is looked up here: what is repeated is handed over. */
const replays = new Replays({} as ReplaysDeps);

function ended(more: Partial<OcrRequest>): OcrRequest {
  return Object.assign(new OcrRequest(), { id: 'ocr_1', fingerprint: '1:same', finishedAt: new Date() }, more);
}

it('answers the error by which a request has ended since its key was looked up, and not its outcome', async () => {
  const failed = ended({
    mode: 'sync',
    status: 'failed',
    outcome: 'refunded',
    errorCode: 'provider_error',
    providerError: 'overloaded',
  });
  await expect(replays.repeat(failed, SENT)).rejects.toMatchObject({ code: 'provider_error' });
});

it('repeats an outcome that binds its key', async () => {
  const refunded = ended({ mode: 'sync', status: 'failed', outcome: 'refunded', errorCode: null });
  expect(await replays.repeat(refunded, SENT)).toMatchObject({
    isAwaited: false,
    request: { id: 'ocr_1', outcome: 'refunded', replayed: true },
  });
});
