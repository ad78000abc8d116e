import { Button } from '@mantine/core';
import { fullTime, shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { Link } from 'wouter';
import { type AuditLineFragment, AuditLogDocument } from '../../documents.generated.ts';
import { ExportButton } from '../kit/export-button.tsx';
import classes from './accounts.module.css';
import { AUDIT_FILE, auditReader } from './audit-file.ts';
import { actionText } from './audit-text.ts';

interface Listed {
  readonly entries: readonly AuditLineFragment[];
  readonly after: string | null;
  readonly loading: boolean;
  readonly failure: CombinedError | undefined;
}

/** What operators did here, in the API and on the command line, newest first. */
export function AuditTab() {
  const client = useClient();
  const [listed, setListed] = useState<Listed>({ entries: [], after: null, loading: true, failure: undefined });
  const ask = useCallback(
    async (after: string | null) => {
      setListed((now) => ({ ...now, loading: true, failure: undefined }));
      const { data, error } = await client
        .query(AuditLogDocument, { after }, { requestPolicy: 'network-only' })
        .toPromise();
      const page = data?.auditLog;
      setListed((now) => ({
        entries: [...(after === null ? [] : now.entries), ...(page?.nodes ?? [])],
        after: page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null,
        loading: false,
        failure: error,
      }));
    },
    [client],
  );
  useEffect(() => void ask(null), [ask]);
  const { entries, after, loading, failure } = listed;
  if (failure && entries.length === 0) {
    return <Failed title="The log could not be loaded" message={failureText(failure)} onRetry={() => void ask(null)} />;
  }
  if (loading && entries.length === 0) return <Loading rows={8} />;
  if (entries.length === 0) return <Empty title="No operator has changed anything yet" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={classes['scrolled']} tabIndex={0} aria-label="Audit log">
      <div className={classes['tableBar']}>
        <ExportButton name="audit-log" from={auditReader} columns={AUDIT_FILE} />
      </div>
      <div className="kit-panel">
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">On</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td title={fullTime(entry.at)}>{shortTime(entry.at)}</td>
                <td className={classes['wrap']}>{actionText(entry)}</td>
                <td className={classes['subject']}>
                  <Subject of={entry} />
                </td>
                <td className={classes['subject']}>
                  <Operator of={entry} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {after !== null && (
          <Button m="sm" variant="default" loading={loading} onClick={() => void ask(after)}>
            Show older
          </Button>
        )}
      </div>
    </section>
  );
}

const ACCOUNT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REQUEST = /^ocr_[0-9A-Z]{26}$/;

interface OfEntry {
  readonly of: AuditLineFragment;
}

/** What it was done to, by its name where it has one; accounts and requests lead to where they are shown. */
function Subject({ of: { subject, subjectName } }: OfEntry) {
  if (subject == null) return '–';
  const name = subjectName == null ? <code>{subject}</code> : <span title={subject}>{subjectName}</span>;
  if (!ACCOUNT.test(subject) && !REQUEST.test(subject)) return name;
  return (
    <Link
      className="kit-link"
      href={ACCOUNT.test(subject) ? `/accounts?account=${subject}` : `/requests?request=${subject}`}
    >
      {name}
    </Link>
  );
}

/** Whose account it was done with, and by which of its keys. */
function Operator({ of: { via, accountEmail, keyId, keyLabel } }: OfEntry) {
  if (keyId == null) return via;
  const key = keyLabel == null ? <code>{keyId}</code> : <span title={keyId}>{keyLabel}</span>;
  return (
    <>
      {accountEmail != null && `${accountEmail}, `}
      {key}
    </>
  );
}
