import { shortTime } from '@ocr-router/ui/format/time.ts';
import { COST, engineText, PAGES, STATUS, TOOK } from '@ocr-router/ui/requests/columns.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useLocation } from 'wouter';
import type { RequestLineFragment } from '../../documents.generated.ts';

/** Narrower than the columns of the feed: these lists stand within other pages. */
const COLUMNS: ReadonlyArray<Column<RequestLineFragment>> = [
  { id: 'time', header: 'Accepted', widthPx: 114, cell: ({ createdAt }) => shortTime(createdAt) },
  STATUS,
  { id: 'engine', header: 'Engine', cell: engineText },
  { ...PAGES, widthPx: 64 },
  TOOK,
  { ...COST, widthPx: 82 },
  { id: 'mode', header: 'Mode', widthPx: 64, cell: ({ mode }) => mode },
  { id: 'id', header: 'Request', widthPx: 240, cell: ({ id }) => <code style={{ fontSize: '0.75rem' }}>{id}</code> },
];

interface RequestLinesProps {
  readonly requests: readonly RequestLineFragment[];
}

const ROW_PX = 30;
const HEADER_PX = 31;

/** Requests as a table; a row opens its request. */
export function RequestLines({ requests }: RequestLinesProps) {
  const [, navigate] = useLocation();
  return (
    <DataTable
      label="Requests"
      rows={requests}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHeightPx={ROW_PX}
      height={HEADER_PX + requests.length * ROW_PX}
      onOpen={({ id }) => navigate(`/requests?request=${id}`)}
    />
  );
}
