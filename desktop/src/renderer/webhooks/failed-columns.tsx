import { shortTime } from '@ocr-router/ui/format/time.ts';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { Link } from 'wouter';
import type { FailedLineFragment } from '../../documents.generated.ts';
import type { FileColumn } from '../kit/export-button.tsx';

/** What the receiver did: its answer, or that there was none. */
function answerWords({ responseCode }: Pick<FailedLineFragment, 'responseCode'>): string {
  return responseCode === null ? 'no answer' : `HTTP ${responseCode}`;
}

/** A failed webhook as a line of the list; a row opens its request. */
export const FAILED_COLUMNS: ReadonlyArray<Column<FailedLineFragment>> = [
  { id: 'failed', header: 'Given up', widthPx: 116, cell: ({ failedAt }) => shortTime(failedAt) },
  { id: 'receiver', header: 'Receiver', leastPx: 240, cell: ({ url }) => <span title={url}>{url}</span> },
  { id: 'answer', header: 'Answer', widthPx: 96, cell: answerWords },
  { id: 'error', header: 'Why', cell: ({ error }) => error && <span title={error}>{error}</span> },
  { id: 'attempts', header: 'Attempts', widthPx: 92, align: 'right', cell: attemptsText },
  { id: 'account', header: 'Account', widthPx: 250, cell: accountCell },
];

export const FAILED_FILE: ReadonlyArray<FileColumn<FailedLineFragment>> = [
  { header: 'webhook_id', value: ({ id }) => id },
  { header: 'request_id', value: ({ requestId }) => requestId },
  { header: 'announced_at', value: ({ announcedAt }) => announcedAt },
  { header: 'failed_at', value: ({ failedAt }) => failedAt },
  { header: 'url', value: ({ url }) => url },
  { header: 'response_code', value: ({ responseCode }) => responseCode },
  { header: 'error', value: ({ error }) => error },
  { header: 'round', value: ({ round }) => round },
  { header: 'attempts', value: ({ attempt }) => attempt },
  { header: 'account_id', value: ({ accountId }) => accountId },
  { header: 'account', value: ({ accountEmail }) => accountEmail },
];

function attemptsText({ attempt, round }: FailedLineFragment): string {
  return round > 1 ? `${attempt} (again)` : String(attempt);
}

function accountCell({ accountId, accountEmail }: FailedLineFragment) {
  return (
    <Link className="kit-link" href={`/accounts?account=${accountId}`} title={accountEmail ?? accountId}>
      {accountEmail ?? accountId}
    </Link>
  );
}
