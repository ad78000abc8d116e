import { age } from '@ocr-router/ui/format/age.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { QueueQuery } from '../../documents.generated.ts';
import classes from './queue.module.css';
import { workerState } from './worker-state.ts';

interface WorkerTableProps {
  readonly workers: QueueQuery['workers'];
  readonly nowMs: number;
}

const WORDS = { healthy: 'Alive', degraded: 'Late', down: 'Silent', 'no-data': 'Unknown' } as const;

/** The processes that work, and when each was last heard of. */
export function WorkerTable({ workers, nowMs }: WorkerTableProps) {
  return (
    <section aria-labelledby="workers">
      <h2 id="workers" className={classes['heading']}>
        Workers
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={`kit-panel ${classes['workers']}`} tabIndex={0} aria-label="Workers, as a table">
        {workers.length === 0 ? (
          <Empty title="No worker has reported in the last hour">
            Requests wait until `npm run worker` or `npm start` runs.
          </Empty>
        ) : (
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">Process</th>
                <th scope="col">State</th>
                <th scope="col">Last heartbeat</th>
                <th scope="col">Role</th>
                <th scope="col">Version</th>
                <th scope="col">Started</th>
                <th scope="col" data-align="right">
                  Running
                </th>
                <th scope="col">On engines</th>
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <WorkerRow key={worker.owner} worker={worker} nowMs={nowMs} />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </section>
  );
}

function WorkerRow({ worker, nowMs }: { readonly worker: QueueQuery['workers'][number]; readonly nowMs: number }) {
  const { owner, role, version, engines, running, startedAt, lastHeartbeatAt } = worker;
  const state = workerState(lastHeartbeatAt ?? null, nowMs);
  return (
    <tr>
      <th scope="row">
        <code title={owner}>{owner}</code>
      </th>
      <td>
        <StatusMark state={state} word={WORDS[state]} />
      </td>
      <td>{lastHeartbeatAt == null ? 'never' : age(lastHeartbeatAt, nowMs)}</td>
      <td>{role === 'all' ? 'API and work' : (role ?? '–')}</td>
      <td>{version ?? '–'}</td>
      <td>{startedAt == null ? '–' : age(startedAt, nowMs)}</td>
      <td data-align="right">{running}</td>
      <td>{engines.join(', ') || '–'}</td>
    </tr>
  );
}
