import { type AuditLineFragment, AuditLogDocument } from '../../documents.generated.ts';
import { askOnce, connectionPage } from '../graphql/ask-once.ts';
import type { PageReader } from '../graphql/read-all.ts';
import type { FileColumn } from '../kit/export-button.tsx';
import { actionText } from './audit-text.ts';

/** An entry of the audit log as a line of a file. */
export const AUDIT_FILE: ReadonlyArray<FileColumn<AuditLineFragment>> = [
  { header: 'id', value: ({ id }) => id },
  { header: 'at', value: ({ at }) => at },
  { header: 'action', value: ({ action }) => action },
  { header: 'words', value: actionText },
  { header: 'subject', value: ({ subject }) => subject },
  { header: 'subject_name', value: ({ subjectName }) => subjectName },
  { header: 'details', value: ({ details }) => JSON.stringify(details) },
  { header: 'outcome', value: ({ outcome }) => outcome },
  { header: 'via', value: ({ via }) => via },
  { header: 'account_id', value: ({ accountId }) => accountId },
  { header: 'account', value: ({ accountEmail }) => accountEmail },
  { header: 'key_id', value: ({ keyId }) => keyId },
  { header: 'key', value: ({ keyLabel }) => keyLabel },
];

/** Reads the audit log since then, newest first; null: the whole of it. */
export function auditReader(from: string | null): PageReader<AuditLineFragment> {
  return async (after) => connectionPage((await askOnce(AuditLogDocument, { after, from })).auditLog);
}
