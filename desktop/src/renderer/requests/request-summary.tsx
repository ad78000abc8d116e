import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { type Fact, Facts } from '@ocr-router/ui/kit/facts.tsx';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { Link } from 'wouter';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { senderSaw } from './sender-saw.ts';

/** How it ended, who sent it, and what is to be said about it. */
export function RequestSummary({ request }: { readonly request: DetailedRequestFragment }) {
  const { status, providerError, warning, warnings, pagesFailed, metadata } = request;
  const notes = [...new Set([warning, ...(warnings ?? [])])].filter((note) => note != null);
  const retried = metadata?.fallback;
  return (
    <Section title="Summary" controls={<RequestStatus status={status} />}>
      {providerError && <p className={panel['trouble']}>{providerError}</p>}
      {retried && (
        <p className={panel['note']}>
          {retried.requestedEngine} could not read it ({retried.reason}), so {retried.usedEngine} did.
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className={panel['note']}>
          {note}
        </p>
      ))}
      {pagesFailed?.map(({ page, code, message }) => (
        <p key={page} className={panel['trouble']}>
          Page {page}: {message} ({code})
        </p>
      ))}
      <Facts dense facts={factsOf(request)} />
    </Section>
  );
}

function factsOf(request: DetailedRequestFragment): readonly Fact[] {
  const { engine, accountId, accountEmail, keyId, keyLabel, pages, pagesTotal, job, createdAt, finishedAt } = request;
  const tookMs = finishedAt ? Date.parse(finishedAt) - Date.parse(createdAt) : null;
  return [
    ['Caller received', senderSaw(request)],
    [
      'Engine',
      <Link key="engine" href={`/engines/${engine}`} className="kit-link">
        {engine}
      </Link>,
    ],
    ['Mode', `${request.mode}, ${request.outputFormat}`],
    [
      'Account',
      <Link key="account" href={`/accounts?account=${accountId}`} className="kit-link">
        {accountEmail ?? accountId}
      </Link>,
    ],
    ['Key', keyLabel ?? keyId],
    ['Accepted', fullTime(createdAt)],
    ['Cancelled', request.cancelledAt ? fullTime(request.cancelledAt) : null],
    ['Total time', tookMs === null ? null : duration(tookMs)],
    ['Pages', pages == null ? null : pagesTotal == null ? String(pages) : `${pages} of ${pagesTotal}`],
    ['Job', job ? `${job.id}: ${job.pagesDone} of ${plural(job.pagesTotal, 'page')}` : null],
    ['Charged', money(request.cost)],
    ['Confidence', request.confidence == null ? null : share(request.confidence)],
    ['Started', request.starts > 1 ? `${request.starts} times: a worker was lost` : null],
  ];
}
