import { count } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useLocation } from 'wouter';
import type { QueueQuery } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { drainEstimateMs } from './drain-estimate.ts';
import classes from './queue.module.css';

interface EngineQueuesProps {
  readonly now: QueueQuery;
  readonly nowMs: number;
}

interface Line {
  readonly id: string;
  readonly name: string;
  readonly queued: number;
  readonly running: number;
  readonly share: number;
  readonly oldestMs: number | null;
  readonly drainMs: number | null;
}

const HEADER_PX = 32;

const COLUMNS: ReadonlyArray<Column<Line>> = [
  { id: 'name', header: 'Engine', leastPx: 160, cell: ({ name }) => name, sortBy: ({ name }) => name },
  right(
    'queued',
    'Waiting',
    ({ queued }) => count(queued),
    ({ queued }) => queued,
  ),
  right(
    'share',
    'Share',
    (line) => share(line.share),
    (line) => line.share,
  ),
  right(
    'running',
    'Running',
    ({ running }) => count(running),
    ({ running }) => running,
  ),
  right(
    'oldest',
    'Oldest',
    ({ oldestMs }) => duration(oldestMs),
    ({ oldestMs }) => oldestMs,
  ),
  right(
    'drain',
    'Empty in',
    ({ queued, drainMs }) => drainText(queued, drainMs),
    ({ drainMs }) => drainMs,
  ),
];

/** The queue engine by engine; a row opens the requests that wait for it. */
export function EngineQueues({ now, nowMs }: EngineQueuesProps) {
  const [, navigate] = useLocation();
  const rowPx = useRowPx();
  const lines = linesOf(now, nowMs);
  return (
    <section aria-labelledby="engine-queues">
      <h2 id="engine-queues" className={classes['heading']}>
        By engine
      </h2>
      <div className="kit-panel">
        {lines.length === 0 ? (
          <p className={`${classes['nothing']} kit-soft`}>Nothing is waiting or running.</p>
        ) : (
          <DataTable
            label="Queue by engine"
            rows={lines}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHeightPx={rowPx}
            height={HEADER_PX + lines.length * rowPx}
            initialSort={{ column: 'queued', descending: true }}
            onOpen={({ id }) => navigate(`/requests?engine=${encodeURIComponent(id)}&status=queued,processing`)}
          />
        )}
      </div>
    </section>
  );
}

function linesOf({ queues, engines, overview }: QueueQuery, nowMs: number): readonly Line[] {
  const all = queues.reduce((sum, { queued }) => sum + queued, 0);
  return queues.map(({ engineId, queued, running, oldestAgeSeconds }) => {
    const engine = engines.find(({ id }) => id === engineId);
    const ended = engine?.window.requests ?? 0;
    return {
      id: engineId,
      name: engine?.name ?? engineId,
      queued,
      running,
      share: all === 0 ? 0 : queued / all,
      oldestMs: oldestAgeSeconds == null ? null : oldestAgeSeconds * 1000,
      drainMs: drainEstimateMs({ queued, ended, sinceMs: Date.parse(overview.since), nowMs }),
    };
  });
}

function right(
  id: string,
  header: string,
  cell: (line: Line) => string,
  sortBy: (line: Line) => number | null,
): Column<Line> {
  return { id, header, widthPx: 120, align: 'right', cell, sortBy };
}

function drainText(queued: number, drainMs: number | null): string {
  if (queued === 0) return '–';
  return drainMs === null ? 'unknown' : `about ${duration(drainMs)}`;
}
