import { age } from '@ocr-router/ui/format/age.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { Link } from 'wouter';
import { type OpenRequestFragment, OpenRequestsDocument, type OpenRequestsQuery } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { CancelRequest } from '../requests/cancel-request.tsx';
import classes from './queue.module.css';

/** Of each state; the page Jobs has the others. */
const MOST = 50;
const POLL_MS = 5000;

interface OpenRequestsProps {
  readonly nowMs: number;
}

/** The requests that are at work or wait, each with a button that ends it. */
export function OpenRequests({ nowMs }: OpenRequestsProps) {
  const { data, failure, refetch } = useQuery(OpenRequestsDocument, { first: MOST });
  usePolling(refetch, POLL_MS);
  return (
    <section aria-labelledby="open-requests">
      <h2 id="open-requests" className={classes['heading']}>
        At work and waiting
      </h2>
      {data == null && failure === undefined && <Loading rows={3} label="Open requests: loading" />}
      {data == null && failure !== undefined && (
        <Failed title="The open requests could not be loaded" message={failureText(failure)} onRetry={refetch} />
      )}
      {data != null && <OpenTable data={data} nowMs={nowMs} onCancelled={refetch} />}
    </section>
  );
}

interface OpenTableProps extends OpenRequestsProps {
  readonly data: OpenRequestsQuery;
  readonly onCancelled: () => void;
}

function OpenTable({ data: { working, waiting }, nowMs, onCancelled }: OpenTableProps) {
  const requests = [...working.nodes, ...waiting.nodes];
  const isCut = working.pageInfo.hasNextPage || waiting.pageInfo.hasNextPage;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={`kit-panel ${classes['workers']}`} tabIndex={0} aria-label="Open requests, as a table">
      {requests.length === 0 ? (
        <p className={`${classes['nothing']} kit-soft`}>Nothing waits and nothing is at work.</p>
      ) : (
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">State</th>
              <th scope="col">Engine</th>
              <th scope="col">Account</th>
              <th scope="col">Accepted</th>
              <th scope="col" data-align="right">
                Reserved
              </th>
              <th scope="col">
                <span className="kit-visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <OpenRow key={request.id} request={request} nowMs={nowMs} onCancelled={onCancelled} />
            ))}
          </tbody>
        </table>
      )}
      {isCut && (
        <p className={`${classes['nothing']} kit-soft`}>
          The newest {MOST} of each.{' '}
          <Link href="/jobs?status=queued,processing" className="kit-link">
            All of them
          </Link>
        </p>
      )}
    </section>
  );
}

interface OpenRowProps extends OpenRequestsProps {
  readonly request: OpenRequestFragment;
  readonly onCancelled: () => void;
}

function OpenRow({ request, nowMs, onCancelled }: OpenRowProps) {
  const { id, status, engine, accountId, accountEmail, createdAt, cancelRequestedAt, hold } = request;
  return (
    <tr>
      <th scope="row">
        <Link href={`/jobs?request=${id}`} className="kit-link">
          <code>{id}</code>
        </Link>
      </th>
      <td>
        <RequestStatus status={status} />
      </td>
      <td>{engine}</td>
      <td>{accountEmail ?? accountId}</td>
      <td>{age(createdAt, nowMs)}</td>
      <td data-align="right">{money(hold)}</td>
      <td data-align="right">
        {cancelRequestedAt === null ? (
          <CancelRequest inList request={request} onCancelled={onCancelled} />
        ) : (
          <span className="kit-soft">being cancelled</span>
        )}
      </td>
    </tr>
  );
}
