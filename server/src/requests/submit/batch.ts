import type { Caller } from '../../accounts/callers/caller.ts';
import { asFailure } from '../../database/as-failure.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/logging/log.ts';
import { sum } from '../../platform/money.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { Batch, type BatchItemInput, BatchItemResult } from './batch.type.ts';
import type { Submission, Submissions } from './submit.ts';

const MAX_ITEMS = 20;

interface Sender {
  readonly caller: Caller;
  readonly hangUp: Submission['hangUp'];
  readonly sentDocuments: Submission['sentDocuments'];
}

/** Runs the items of a batch side by side, each as a synchronous request of its own that nothing repeats. */
export async function runBatch(
  { submissions, log }: { submissions: Submissions; log: Log },
  from: Sender,
  items: readonly BatchItemInput[],
): Promise<Batch> {
  if (items.length < 1 || items.length > MAX_ITEMS) {
    throw new AppError('invalid_request', `items: a batch has 1 to ${MAX_ITEMS} items.`);
  }
  const run = (item: BatchItemInput, index: number) => {
    let requestId: string | null = null;
    const onRequest = (id: string) => {
      requestId = id;
    };
    return runItem(submissions, { ...from, onRequest }, item).then(
      (request) => resultOf(index, request),
      (error: unknown) => rejection({ index, requestId }, error, log),
    );
  };
  const results = await Promise.all(items.map(run));
  return Object.assign(new Batch(), { id: newId('bat_'), results, totalCost: sum(results.map(({ cost }) => cost)) });
}

async function runItem(
  submissions: Submissions,
  { caller, ...sent }: Sender & Pick<Submission, 'onRequest'>,
  item: BatchItemInput,
): Promise<OcrRequest> {
  const { request, refusal, unknownFields } = item;
  if (refusal) throw new AppError('invalid_request', refusal.message);
  if (!request) throw new AppError('invalid_request', 'The item has no request.');
  const input = { ...request, mode: 'sync', outputFormat: 'json', webhookUrl: undefined };
  return submissions.submit(caller, { input, idempotencyKey: null, unknownFields: unknownFields ?? [], ...sent });
}

function resultOf(index: number, request: OcrRequest): BatchItemResult {
  const isPartial = request.status === 'partial';
  return Object.assign(new BatchItemResult(), {
    index,
    requestId: request.id,
    status: request.outcome,
    engine: request.engine,
    extractedText: request.extractedText,
    extractedTextPreview: isPartial ? request.preview : null,
    cost: request.cost,
    pages: request.pages,
    pagesTotal: request.pagesTotal,
    warnings: request.warnings,
    warning: isPartial ? request.warning : null,
    providerError: request.providerError,
    cancelledAt: request.cancelledAt,
    request,
    error: null,
  });
}

/** What would be an error alone is one item's `rejected` here; `requestId` is null where it was not accepted. */
function rejection(of: Pick<BatchItemResult, 'index' | 'requestId'>, error: unknown, log: Log): BatchItemResult {
  const { code, message, cause } = asFailure(error);
  if (code === 'internal_error') log.error({ err: cause ?? error }, 'an item of a batch failed');
  return Object.assign(new BatchItemResult(), {
    ...of,
    status: 'rejected',
    engine: null,
    extractedText: null,
    extractedTextPreview: null,
    cost: 0n,
    pages: null,
    pagesTotal: null,
    warnings: null,
    warning: null,
    providerError: null,
    cancelledAt: null,
    error: { code, message },
  });
}
