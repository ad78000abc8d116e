import { age } from '@ocr-router/ui/format/age.ts';
import { count } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { percent, share } from '@ocr-router/ui/format/percent.ts';
import { STATE_ORDER } from '@ocr-router/ui/status/engine-state.ts';
import { ErrorShare } from '@ocr-router/ui/status/error-share.tsx';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { inRem } from '@ocr-router/ui/theme/text-scale.ts';
import { useLocation } from 'wouter';
import { ExportButton } from '../kit/export-button.tsx';
import { ENGINE_FILE } from './engine-file.ts';
import classes from './engines.module.css';
import type { WallEngine } from './wall-engine.ts';

const ROW_PX = 34;
const HEADER_PX = 33;

/** The wall as a table: the same figures, and any of them sorts. */
export function EngineTable({ engines }: { readonly engines: readonly WallEngine[] }) {
  const [, navigate] = useLocation();
  return (
    <>
      <div className={classes['tableBar']}>
        <ExportButton name="engines" from={engines} columns={ENGINE_FILE} />
      </div>
      <div
        className={`kit-panel ${classes['tablePanel']}`}
        style={{ height: inRem(HEADER_PX + engines.length * ROW_PX) }}
      >
        <DataTable
          label="Engines"
          rows={engines}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowHeightPx={ROW_PX}
          height="100%"
          onOpen={({ id }) => navigate(`/engines/${id}`)}
        />
      </div>
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<WallEngine>> = [
  {
    id: 'state',
    header: 'State',
    widthPx: 104,
    sortBy: ({ state }) => STATE_ORDER.indexOf(state),
    cell: ({ state }) => <StatusMark state={state} />,
  },
  { id: 'name', header: 'Engine', leastPx: 160, sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'provider',
    header: 'Provider',
    widthPx: 168,
    sortBy: ({ provider }) => provider,
    cell: ({ provider }) => provider,
  },
  figure('p95', 'p95', ({ window }) => window.p95Ms, duration),
  figure('p50', 'p50', ({ window }) => window.p50Ms, duration),
  figure('p99', 'p99', ({ window }) => window.p99Ms, duration),
  figure('requests', 'Runs', ({ window }) => window.requests, count),
  {
    ...figure('errors', 'Errors', ({ window }) => window.errorRate, share),
    cell: ({ window }) => <ErrorShare errorRate={window.errorRate} />,
  },
  figure('uptime', '30 days', ({ uptime }) => uptime.overallUptimePct, percent),
  figure(
    'queue',
    'Queue',
    ({ queueShare }) => queueShare,
    (value) => share(value, 0),
  ),
  { ...figure('price', 'Price per page', ({ pricePerPage }) => pricePerPage, money), widthPx: 124 },
  {
    id: 'used',
    header: 'Last used',
    widthPx: 128,
    align: 'right',
    sortBy: ({ stats }) => stats?.lastUsed ?? null,
    cell: ({ stats }) => age(stats?.lastUsed),
  },
];

function figure(
  id: string,
  header: string,
  value: (engine: WallEngine) => number | null,
  text: (value: number | null) => string,
): Column<WallEngine> {
  return { id, header, widthPx: 84, align: 'right', sortBy: value, cell: (engine) => text(value(engine)) };
}
