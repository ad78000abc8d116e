import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Link } from 'wouter';
import { LastJobsDocument, OverviewJobsDocument } from '../../documents.generated.ts';
import { Answer } from '../graphql/answer.tsx';
import { useGatewayQuery } from '../graphql/use-gateway-query.ts';
import { useRefetchOn } from '../graphql/use-refetch-on.ts';
import { JobLines } from '../job-lines/job-lines.tsx';
import classes from './overview.module.css';

/** The ten requests that came last. */
export function LastJobs() {
  const answer = useGatewayQuery(LastJobsDocument, {});
  useRefetchOn(OverviewJobsDocument, answer.refetch);
  return (
    <section aria-labelledby="last-jobs">
      <h2 id="last-jobs" className={classes['heading']}>
        Last requests
        <Link href="/jobs" className="kit-link">
          All requests
        </Link>
      </h2>
      <div className="kit-panel">
        <Answer subject="The last requests" answer={answer}>
          {({ requests }) =>
            requests.nodes.length === 0 ? (
              <Empty title="No requests yet">The first one shows up here as soon as it is accepted.</Empty>
            ) : (
              <JobLines jobs={requests.nodes} />
            )
          }
        </Answer>
      </div>
    </section>
  );
}
