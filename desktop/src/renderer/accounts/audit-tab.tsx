import { Button } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { fullTime, shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Link } from 'wouter';
import { type AuditLineFragment, AuditLogDocument, type AuditLogQuery } from '../../documents.generated.ts';
import { type ListedPages, usePages } from '../graphql/use-pages.ts';
import { ExportButton } from '../kit/export-button.tsx';
import { OfTime } from '../kit/of-time.tsx';
import { useListPlace } from '../navigation/use-list-place.ts';
import { type Since, useSince } from '../navigation/use-since.ts';
import classes from './accounts.module.css';
import { AUDIT_FILE, auditReader } from './audit-file.ts';
import { actionText } from './audit-text.ts';

/** What operators did in the time range, here, in the API and on the command line, newest first. */
export function AuditTab() {
  const { since, words, onAnyTime } = useSince();
  const list = usePages(AuditLogDocument, { from: since }, pageOf);
  return (
    <>
      <ResultNews asked={`${since}`} found={list.isCurrent ? foundWords(list.rows.length, list.hasMore) : null} />
      <Entries list={list} since={since} words={words} onAnyTime={onAnyTime} />
    </>
  );
}

function foundWords(entries: number, hasMore: boolean): string {
  return hasMore ? `The newest ${plural(entries, 'entry', 'entries')}` : plural(entries, 'entry', 'entries');
}

interface EntriesProps extends Since {
  readonly list: ListedPages<AuditLineFragment>;
}

function Entries({ list, since, words, onAnyTime }: EntriesProps) {
  const { rows, hasMore, loading, failure, more, reload } = list;
  const place = useListPlace();
  if (failure && rows.length === 0) {
    return <Failed title="The log could not be loaded" message={failureText(failure)} onRetry={reload} />;
  }
  if (loading && rows.length === 0) return <Loading rows={8} />;
  if (rows.length === 0) {
    return (
      <Empty
        title={onAnyTime ? `No operator has changed anything ${words}` : 'No operator has changed anything yet'}
        action={onAnyTime && <Button onClick={onAnyTime}>Show any time</Button>}
      />
    );
  }
  return (
    <section
      ref={place.restore}
      className={classes['scrolled']}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      aria-label="Audit log"
      onScroll={(event) => place.onScroll(event.currentTarget.scrollTop)}
    >
      <div className={classes['tableBar']}>
        <OfTime words={words} onAnyTime={onAnyTime} />
        <ExportButton name="audit-log" from={() => auditReader(since)} columns={AUDIT_FILE} />
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
            {rows.map((entry) => (
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
        {hasMore && (
          <Button m="sm" variant="default" loading={loading} onClick={more}>
            Show older
          </Button>
        )}
      </div>
    </section>
  );
}

function pageOf({ auditLog }: AuditLogQuery) {
  return auditLog;
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
