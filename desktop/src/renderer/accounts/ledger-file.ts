import { AccountLedgerDocument, type TransferLineFragment } from '../../documents.generated.ts';
import { askOnce, connectionPage } from '../graphql/ask-once.ts';
import type { PageReader } from '../graphql/read-all.ts';
import type { FileColumn } from '../kit/export-button.tsx';

/** A transfer as a line of a file. */
export const LEDGER_FILE: ReadonlyArray<FileColumn<TransferLineFragment>> = [
  { header: 'id', value: ({ id }) => id },
  { header: 'created_at', value: ({ createdAt }) => createdAt },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'debit', value: ({ debit }) => debit },
  { header: 'credit', value: ({ credit }) => credit },
  { header: 'amount_usd', value: ({ amount }) => amount },
  { header: 'reason', value: ({ reason }) => reason },
  { header: 'request_id', value: ({ requestId }) => requestId },
  { header: 'attempt_id', value: ({ attemptId }) => attemptId },
];

/** Reads all of an account's transfers, newest first. */
export function ledgerReader(id: string): PageReader<TransferLineFragment> {
  return async (after) => connectionPage((await askOnce(AccountLedgerDocument, { id, after })).ledger);
}
