import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { lazy, Suspense } from 'react';
import { OverviewDocument, OverviewHealthDocument, OverviewQueuesDocument } from '../../documents.generated.ts';
import { useRefetchOn } from '../graphql/use-refetch-on.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { AttentionList } from './attention-list.tsx';
import { LastRequests } from './last-requests.tsx';
import { MiniWall } from './mini-wall.tsx';
import classes from './overview.module.css';
import { RefusedCalls } from './refused-calls.tsx';
import { Sentences } from './sentences.tsx';

/** The chart's code comes after the first figures. */
const Traffic = lazy(async () => ({ default: (await import('./traffic.tsx')).Traffic }));

/** How the gateway does, in four sentences; what needs attention; traffic and errors; the engines; the last requests. */
export default function OverviewPage() {
  const [range] = useTimeRange();
  const answer = useQuery(OverviewDocument, { hours: range.hours });
  useRefetchOn(OverviewHealthDocument, answer.refetch);
  useRefetchOn(OverviewQueuesDocument, answer.refetch, { everyMs: 5000 });
  return (
    <div className={classes['page']}>
      <h1 className="kit-visually-hidden">Overview</h1>
      <Answer subject="The overview" answer={answer} loadingRows={6}>
        {(data) => (
          <div className={classes['stack']}>
            <Sentences now={data} range={range} />
            <div className={classes['pair']}>
              <AttentionList now={data} />
              <Suspense fallback={<Loading rows={4} label="Traffic: loading" />}>
                <Traffic range={range} />
              </Suspense>
            </div>
            <div className={data.refusedCalls.length === 0 ? undefined : classes['pair']}>
              <MiniWall engines={data.engines} />
              <RefusedCalls calls={data.refusedCalls} />
            </div>
          </div>
        )}
      </Answer>
      <LastRequests />
    </div>
  );
}
