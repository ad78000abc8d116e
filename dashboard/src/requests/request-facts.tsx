import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { type Fact, Facts } from '@ocr-router/ui/kit/facts.tsx';
import { ENGINE_TIME, engineTimeText } from '@ocr-router/ui/requests/engine-time.ts';
import { ProgressBar } from '@ocr-router/ui/requests/progress-bar.tsx';
import { useJobProgress } from '@ocr-router/ui/requests/use-job-progress.ts';
import type { RequestQuery } from '../documents.generated.ts';
import { senderText } from './request-list.tsx';
import classes from './requests.module.css';

interface RequestFactsProps {
  readonly request: RequestQuery['request'];
  /** Asks anew how far it has come. */
  readonly onLook: () => void;
}

/** What it was, who sent it, and how it went. */
export function RequestFacts({ request, onLook }: RequestFactsProps) {
  const progress = useJobProgress(request, { look: onLook });
  const { applied, fallback } = { applied: appliedText(request), fallback: request.metadata?.fallback };
  const facts: Fact[] = [
    [
      'Error',
      errorText(request) && (
        <span key="error" className={classes['error']}>
          {errorText(request)}
        </span>
      ),
    ],
    ['Accepted', fullTime(request.createdAt)],
    [
      'Total time',
      request.finishedAt ? duration(Date.parse(request.finishedAt) - Date.parse(request.createdAt)) : 'still running',
    ],
    [
      'Engine',
      fallback ? `${fallback.usedEngine}, after ${fallback.requestedEngine}: ${fallback.reason}` : request.engine,
    ],
    [ENGINE_TIME.header, engineTimeText(request)],
    ['Mode', request.mode],
    ['Pages', progress ? <ProgressBar key="pages" progress={progress} /> : pagesText(request)],
    ['Sent with', senderText(request)],
  ];
  if (request.cancelledAt) facts.push(['Cancelled', fullTime(request.cancelledAt)]);
  if (request.confidence !== null) facts.push(['Confidence', share(request.confidence)]);
  if (applied !== '') facts.push(['Settings', applied]);
  if (request.idempotencyKey) facts.push(['Idempotency-Key', request.idempotencyKey]);
  if (request.warnings?.length) facts.push(['Warnings', <Warnings key="warnings" texts={request.warnings} />]);
  return <Facts facts={facts} />;
}

/** What to look up, and what was said. */
function errorText({ errorCode, providerError }: RequestQuery['request']): string {
  return [errorCode, providerError].filter(Boolean).join(': ');
}

function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul style={{ margin: 0, paddingLeft: '1rem' }}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function pagesText({ pages, pagesTotal }: RequestQuery['request']): string {
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
