import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { useSubscription } from 'urql';
import { QueueDocument, QueuesChangedDocument } from '../../documents.generated.ts';
import { useConnection } from '../bridge/connection.tsx';
import { usePolling } from '../graphql/use-polling.ts';
import { EngineQueues } from './engine-queues.tsx';
import { OpenRequests } from './open-requests.tsx';
import classes from './queue.module.css';
import { QueueCounters } from './queue-counters.tsx';
import { QueueHistory } from './queue-history.tsx';
import { WorkerTable } from './worker-table.tsx';

/** Workers say every 5 s that they live; asked a little slower, so that a missed beat is not our own. */
const POLL_MS = 7000;

/** What waits and since when, now and over time, for which engines, and who works on it. */
export default function QueuePage() {
  const answer = useQuery(QueueDocument, {});
  const { state } = useConnection();
  const [changed] = useSubscription({ query: QueuesChangedDocument, pause: state !== 'live' });
  const nowMs = useNow(1000);
  usePolling(answer.refetch, POLL_MS);
  const live = state === 'live' ? changed.data?.queuesChanged : undefined;
  return (
    <div className={classes['page']}>
      <h1 className={classes['title']}>Queue</h1>
      <Answer subject="The queue" answer={answer}>
        {(data) => {
          const now = live === undefined ? data : { ...data, queues: live };
          return (
            <div className={classes['parts']}>
              <QueueCounters now={now} nowMs={nowMs} />
              <QueueHistory engines={now.engines} />
              <EngineQueues now={now} nowMs={nowMs} />
              <OpenRequests nowMs={nowMs} />
              <WorkerTable workers={now.workers} nowMs={nowMs} />
            </div>
          );
        }}
      </Answer>
    </div>
  );
}
