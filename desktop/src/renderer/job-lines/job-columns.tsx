import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import type { JobLineFragment } from '../../documents.generated.ts';

/** A request as a line of a table. */
export const JOB_COLUMNS: ReadonlyArray<Column<JobLineFragment>> = [
  { id: 'time', header: 'Accepted', widthPx: 124, cell: ({ createdAt }) => shortTime(createdAt) },
  { id: 'status', header: 'Status', widthPx: 116, cell: ({ status }) => <RequestStatus status={status} /> },
  { id: 'engine', header: 'Engine', cell: engineText },
  { id: 'pages', header: 'Pages', widthPx: 76, align: 'right', cell: pagesText },
  {
    id: 'time-taken',
    header: 'Engine time',
    widthPx: 100,
    align: 'right',
    cell: ({ providerLatencyMs }) => duration(providerLatencyMs),
  },
  { id: 'cost', header: 'Charged', widthPx: 92, align: 'right', cell: ({ cost }) => money(cost) },
  { id: 'mode', header: 'Mode', widthPx: 68, cell: ({ mode }) => mode },
  { id: 'id', header: 'Request', widthPx: 268, cell: ({ id }) => <code>{id}</code> },
];

/** `mistral`, or `mistral → tesseract` where automatic retry used another. */
function engineText({ engine, requestedEngine }: JobLineFragment): string {
  return engine === requestedEngine ? engine : `${requestedEngine} → ${engine}`;
}

function pagesText({ pages, pagesTotal }: JobLineFragment): string {
  if (pages === null && pagesTotal === null) return '–';
  return pagesTotal === null || pages === pagesTotal ? String(pages) : `${pages ?? '–'}/${pagesTotal}`;
}
