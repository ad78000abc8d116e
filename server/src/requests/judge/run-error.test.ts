import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../engines/engine-runner.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import type { EngineInput, Reading } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import { LeaseLostError } from '../../engines/model/stop-reasons.ts';
import { fromUsd } from '../../platform/money.ts';
import type { Effective } from '../model/effective.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { PageJournal } from '../read/page-result.ts';
import type { Readers } from '../read/page-task.ts';
import { chargeLimit, settlementFromRetry } from '../run/fallback.ts';
import { type RunTask, readRequest } from '../run/read-request.ts';
import { newPhases } from '../times/phases.ts';
import { RunError } from './run-error.ts';

const entry = {
  ...{ name: 'Flat', provider: 'p', adapter: 'openai', model: 'm', api_key: 'k' },
  ...{ price_per_page_usd: 0.01, provider_cost_per_page_usd: 0.004 },
};
const options = { secrets: {}, cores: 2, engineLimitMs: 1000 };
const catalogue = makeCatalogue(
  [
    { ...entry, id: 'flat' },
    { ...entry, id: 'other' },
  ],
  options,
);
const [flat, other] = catalogue.engines;
if (!flat || !other) throw new Error('a catalogue of two entries has two engines');

const effective = {
  pageCount: 3,
  pageRange: null,
  language: null,
  languageHints: null,
  native: {},
} as unknown as Effective; // what a run looks at
const read: Reading = unread({
  ending: { kind: 'ok' },
  billed: 'yes',
  pages: [{ number: 1, text: 'text', confidence: null, source: 'engine' }],
});
const refusal: Reading = unread({ ending: { kind: 'refused', message: 'No.' }, billed: 'yes' });

type Answer = (page: number, signal: AbortSignal) => Promise<Reading>;

/** Documents and engines as a run sees them, each page answered by the script. */
function readers(answer: Answer): Readers & { catalogue: typeof catalogue } {
  const documents = { picture: async () => ({ warnings: [] }), isBlank: async () => false };
  const engines = {
    permit: async () => ({ [Symbol.dispose]: () => undefined }),
    enter: async () => true,
    wantsDecoded: () => false,
    wantsFile: () => false,
    read: async (_engine: unknown, input: EngineInput, _settings: unknown, { signal }: CallOptions) => ({
      reading: await answer(input.kind === 'picture' ? input.page : 0, signal),
      latencyMs: 5,
    }),
  };
  return { documents, engines, catalogue } as unknown as Readers & { catalogue: typeof catalogue }; // what a run calls of them
}

function task(more: Partial<RunTask> = {}): RunTask {
  let ids = 0;
  return {
    document: { bytes: Buffer.alloc(1), inspection: { format: 'pdf', pages: 3, warnings: [] } },
    effective,
    engine: flat as NonNullable<typeof flat>, // checked above
    newAttemptId: () => `att_${++ids}`,
    requestId: 'ocr_1',
    party: 'account',
    patient: false,
    phases: newPhases(),
    signal: new AbortController().signal,
    ...more,
  };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

describe('a run that ends early', () => {
  it('ends the calls for its other pages, and knows the attempts that were made', async () => {
    const aborted: number[] = [];
    const lost = new LeaseLostError('gone');
    const journal: PageJournal = { finished: new Map(), record: () => Promise.reject(lost) };
    const answer: Answer = async (page, signal) => {
      if (page === 2) return read;
      signal.addEventListener('abort', () => aborted.push(page));
      return untilAborted(signal);
    };
    const thrown = await readRequest(readers(answer), task({ journal })).catch((error: unknown) => error);
    const { reason, attempts } = RunError.from(thrown);
    expect(reason).toBe(lost);
    expect(aborted).toEqual([1, 3]);
    expect(attempts).toMatchObject([{ engine: 'flat', pages: 1, billing: 'settled', cost: fromUsd(0.004) }]);
  });
});

describe('a retry that throws', () => {
  const request = Object.assign(new OcrRequest(), {
    id: 'ocr_1',
    requestedEngine: 'flat',
    notes: [],
    effective: { ...effective, fallback: 'similar', webhookUrl: null },
  });

  async function retried(second: Error) {
    const first = await readRequest(
      readers(async () => refusal),
      task(),
    );
    const limit = chargeLimit(task().engine, first);
    const failures: unknown[] = [];
    const settlement = await settlementFromRetry({
      ...{ request, engine: task().engine, first, alternative: other ?? null, limit },
      read: () => Promise.reject(second),
      isLeft: (reason) => reason instanceof LeaseLostError,
      onFailure: (error) => failures.push(error.cause),
    });
    return { settlement, failures };
  }

  it.each([new Error('a fault of ours'), new TypeError('x is undefined')])(
    'leaves the first run and its attempts on the books: %s',
    async (fault) => {
      const { settlement, failures } = await retried(fault);
      expect(settlement).toMatchObject({
        ...{
          status: 'failed',
          outcome: 'refunded',
          errorCode: null,
          charge: fromUsd(0.012),
          chargeKind: 'provider_cost',
        },
        attempts: [{ engine: 'flat', outcome: 'refused', cost: fromUsd(0.012), billing: 'settled' }],
      });
      expect(failures).toEqual([fault]);
    },
  );

  it('is at our expense when the fault was ours, whatever its provider bills', async () => {
    const thrown = await readRequest(
      readers(async (page) => {
        if (page === 3) throw new Error('a fault of ours');
        return read;
      }),
      task({ engine: other as NonNullable<typeof other> }), // checked above
    ).catch((error: Error) => error);
    const { settlement } = await retried(thrown as Error);
    expect(settlement.charge).toBe(fromUsd(0.012));
    expect(settlement.attempts).toMatchObject([
      { number: 1, engine: 'flat' },
      { number: 2, engine: 'other', message: expect.stringMatching(/not charged/) },
    ]);
  });

  it('is left to the next holder of the lease when that has gone', async () => {
    const lost = new LeaseLostError('gone');
    await expect(retried(lost)).rejects.toBe(lost);
  });
});
