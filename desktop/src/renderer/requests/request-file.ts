import { totalMs } from '@ocr-router/ui/requests/columns.tsx';
import type { RequestRowFragment } from '../../documents.generated.ts';
import type { FileColumn } from '../kit/export-button.tsx';

/** A request as a line of a file. */
export const REQUEST_FILE: ReadonlyArray<FileColumn<RequestRowFragment>> = [
  { header: 'id', value: ({ id }) => id },
  { header: 'accepted_at', value: ({ createdAt }) => createdAt },
  { header: 'finished_at', value: ({ finishedAt }) => finishedAt },
  { header: 'status', value: ({ status }) => status },
  { header: 'error_code', value: ({ errorCode }) => errorCode },
  { header: 'error', value: ({ providerError }) => providerError },
  { header: 'engine', value: ({ engine }) => engine },
  { header: 'requested_engine', value: ({ requestedEngine }) => requestedEngine },
  { header: 'mode', value: ({ mode }) => mode },
  { header: 'pages', value: ({ pages }) => pages },
  { header: 'pages_total', value: ({ pagesTotal }) => pagesTotal },
  { header: 'total_ms', value: totalMs },
  { header: 'engine_ms', value: ({ providerLatencyMs }) => providerLatencyMs },
  { header: 'charged_usd', value: ({ cost }) => cost },
  { header: 'account_id', value: ({ accountId }) => accountId },
  { header: 'account', value: ({ accountEmail }) => accountEmail },
  { header: 'key_id', value: ({ keyId }) => keyId },
  { header: 'key', value: ({ keyLabel }) => keyLabel },
  { header: 'idempotency_key', value: ({ idempotencyKey }) => idempotencyKey },
];
