import { shortTime } from '@ocr-router/ui/format/time.ts';
import { COST, engineText, PAGES, STATUS, TOOK } from '@ocr-router/ui/requests/columns.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { Link, useLocation } from 'wouter';
import type { RequestRowFragment } from '../documents.generated.ts';
import classes from './requests.module.css';

const COLUMNS: readonly Column<RequestRowFragment>[] = [
  { id: 'at', header: 'Accepted', widthPx: 120, cell: ({ createdAt }) => shortTime(createdAt) },
  { ...STATUS, widthPx: 124 },
  { id: 'engine', header: 'Engine', widthPx: 170, cell: engineText },
  { ...PAGES, cell: pagesText },
  { ...TOOK, widthPx: 104 },
  { ...COST, widthPx: 96 },
  { id: 'key', header: 'Key', widthPx: 130, cell: senderText },
  {
    id: 'id',
    header: 'Request',
    widthPx: 270,
    cell: ({ id }) => (
      <Link href={`/requests/${id}`} className={`kit-link ${classes['id']}`} tabIndex={-1}>
        {id}
      </Link>
    ),
  },
];

interface RequestListProps {
  readonly rows: readonly RequestRowFragment[];
  readonly onEndNear?: () => void;
}

/** Requests, newest first; a click or Enter opens one. */
export function RequestList({ rows, onEndNear }: RequestListProps) {
  const [, go] = useLocation();
  return (
    <div className={classes['list']}>
      <DataTable
        label="Requests"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        height={Math.min(640, 40 + rows.length * 34)}
        rowHeightPx={34}
        onOpen={({ id }) => go(`/requests/${id}`)}
        {...(onEndNear && { onEndNear })}
      />
    </div>
  );
}

function pagesText({ pages, pagesTotal }: RequestRowFragment): string {
  if (pages === null) return '–';
  return pagesTotal !== null && pagesTotal > pages ? `${pages} of ${pagesTotal}` : String(pages);
}

/** Requests of a login come from the playground. */
export function senderText({ keyId, keyLabel }: Pick<RequestRowFragment, 'keyId' | 'keyLabel'>): string {
  if (keyId?.startsWith('login:')) return 'playground';
  return keyLabel ?? keyId ?? '–';
}
