import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { lazy, Suspense } from 'react';
import {
  OverviewChangeDocument,
  OverviewDocument,
  OverviewHealthDocument,
  OverviewQueuesDocument,
} from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useRefetchOn } from '../graphql/use-refetch-on.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { AttentionList } from './attention-list.tsx';
import { LastRequests } from './last-requests.tsx';
import { MiniWall } from './mini-wall.tsx';
import classes from './overview.module.css';
import { runsChange } from './overview-words.ts';
import { RefusedCalls } from './refused-calls.tsx';
import { Sentences } from './sentences.tsx';

/** Whole hours change once an hour; what is charged late for them, whenever. */
const POLL_MS = 60_000;

/** The chart's code comes after the first figures. */
const Traffic = lazy(async () => ({ default: (await import('./traffic.tsx')).Traffic }));

/** How the gateway does, in four sentences; what needs attention; traffic and errors; the engines; the last requests. */
export default function OverviewPage() {
  const [range] = useTimeRange();
  const answer = useQuery(OverviewDocument, { hours: range.hours });
  const { data: compared, refetch: compareAgain } = useQuery(OverviewChangeDocument, { hours: range.hours });
  usePolling(compareAgain, POLL_MS);
  // While another span is asked for, what is there is still of the one before.
  const change = compared?.periodComparison.hours === range.hours ? compared.periodComparison : null;
  useRefetchOn(OverviewHealthDocument, answer.refetch);
  useRefetchOn(OverviewQueuesDocument, answer.refetch, { everyMs: 5000 });
  return (
    <div className={classes['page']}>
      <h1 className="kit-visually-hidden">Overview</h1>
      <Answer subject="The overview" answer={answer} loadingRows={6}>
        {(data) => (
          <div className={classes['stack']}>
            <Sentences now={data} change={change} range={range} />
            <div className={classes['pair']}>
              <AttentionList now={data} />
              <Suspense fallback={<Loading rows={4} label="Traffic: loading" />}>
                <Traffic range={range} change={change === null ? '' : runsChange(change)} />
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
