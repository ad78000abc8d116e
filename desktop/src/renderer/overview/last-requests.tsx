import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Link } from 'wouter';
import { LastRequestsDocument, OverviewRequestsDocument } from '../../documents.generated.ts';
import { useRefetchOn } from '../graphql/use-refetch-on.ts';
import { RequestLines } from '../requests/request-lines.tsx';
import classes from './overview.module.css';

/** The ten requests that came last. */
export function LastRequests() {
  const answer = useQuery(LastRequestsDocument, {});
  useRefetchOn(OverviewRequestsDocument, answer.refetch);
  return (
    <section aria-labelledby="last-requests">
      <h2 id="last-requests" className={classes['heading']}>
        <span>
          Latest requests <span className="kit-soft">of any time</span>
        </span>
        <Link href="/requests" className="kit-link">
          All requests
        </Link>
      </h2>
      <div className="kit-panel">
        <Answer subject="The last requests" answer={answer}>
          {({ requests }) =>
            requests.nodes.length === 0 ? (
              <Empty title="No requests yet">The first one shows up here as soon as it is accepted.</Empty>
            ) : (
              <RequestLines requests={requests.nodes} />
            )
          }
        </Answer>
      </div>
    </section>
  );
}
