import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import type { ReactNode } from 'react';
import type { RequestQuery } from '../documents.generated.ts';
import { Facts } from '../kit/facts.tsx';
import { senderText } from './request-list.tsx';

/** What it was, who sent it, and how it went. */
export function RequestFacts({ request }: { readonly request: RequestQuery['request'] }) {
  const { applied, fallback } = { applied: appliedText(request), fallback: request.metadata?.fallback };
  const rows: Array<readonly [string, ReactNode]> = [
    ['Accepted', fullTime(request.createdAt)],
    [
      'Took',
      request.finishedAt ? duration(Date.parse(request.finishedAt) - Date.parse(request.createdAt)) : 'not over',
    ],
    [
      'Engine',
      fallback ? `${fallback.usedEngine}, after ${fallback.requestedEngine}: ${fallback.reason}` : request.engine,
    ],
    ['Engine time', duration(request.providerLatencyMs)],
    ['Mode', request.mode],
    ['Pages', pagesText(request)],
    ['Sent with', senderText(request)],
  ];
  if (request.confidence !== null) rows.push(['Confidence', share(request.confidence)]);
  if (applied !== '') rows.push(['Settings', applied]);
  if (request.idempotencyKey) rows.push(['Idempotency-Key', request.idempotencyKey]);
  if (request.providerError) rows.push(['What went wrong', request.providerError]);
  if (request.warnings?.length) rows.push(['Warnings', <Warnings key="warnings" texts={request.warnings} />]);
  return <Facts rows={rows} />;
}

function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul style={{ margin: 0, paddingLeft: 16 }}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function pagesText({ pages, pagesTotal, job }: RequestQuery['request']): string {
  if (job && pages === null) return `${job.pagesDone} of ${job.pagesTotal} so far`;
  if (pages === null) return '–';
  return pagesTotal !== null && pagesTotal !== pages ? `${pages} billed, ${pagesTotal} in the document` : String(pages);
}

function appliedText({ appliedSettings }: RequestQuery['request']): string {
  const { language, dpi, pageRange, detectTables } = appliedSettings ?? {};
  const words = [
    language && `language ${language}`,
    dpi && `${dpi} dpi`,
    pageRange && `pages ${pageRange}`,
    detectTables && 'tables',
  ];
  return words.filter(Boolean).join(', ');
}
