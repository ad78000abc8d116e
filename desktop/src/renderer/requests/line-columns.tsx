import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import type { RequestLineFragment } from '../../documents.generated.ts';

/** A request as a line of a table. */
export const LINE_COLUMNS: ReadonlyArray<Column<RequestLineFragment>> = [
  { id: 'time', header: 'Accepted', widthPx: 114, cell: ({ createdAt }) => shortTime(createdAt) },
  { id: 'status', header: 'Status', widthPx: 112, cell: ({ status }) => <RequestStatus status={status} /> },
  { id: 'engine', header: 'Engine', cell: engineText },
  { id: 'pages', header: 'Pages', widthPx: 64, align: 'right', cell: pagesText },
  {
    id: 'time-taken',
    header: 'Engine time',
    widthPx: 94,
    align: 'right',
    cell: ({ providerLatencyMs }) => duration(providerLatencyMs),
  },
  { id: 'cost', header: 'Charged', widthPx: 82, align: 'right', cell: ({ cost }) => money(cost) },
  { id: 'mode', header: 'Mode', widthPx: 64, cell: ({ mode }) => mode },
  { id: 'id', header: 'Request', widthPx: 240, cell: ({ id }) => <code style={{ fontSize: 12 }}>{id}</code> },
];

/** `mistral`, or `mistral → tesseract` where automatic retry used another. */
function engineText({ engine, requestedEngine }: RequestLineFragment): string {
  return engine === requestedEngine ? engine : `${requestedEngine} → ${engine}`;
}

function pagesText({ pages, pagesTotal }: RequestLineFragment): string {
  if (pages === null && pagesTotal === null) return '–';
  return pagesTotal === null || pages === pagesTotal ? String(pages) : `${pages ?? '–'}/${pagesTotal}`;
}
