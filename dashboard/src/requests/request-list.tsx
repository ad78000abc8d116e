import { shortTime } from '@ocr-router/ui/format/time.ts';
import { COST, ERROR, engineText, PAGES, STATUS, TOTAL } from '@ocr-router/ui/requests/columns.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RequestRowFragment } from '../documents.generated.ts';
import { returnsFrom } from '../kit/use-arrival.ts';
import classes from './requests.module.css';

const COLUMNS: readonly Column<RequestRowFragment>[] = [
  { id: 'at', header: 'Accepted', widthPx: 130, cell: ({ createdAt }) => shortTime(createdAt) },
  { ...STATUS, widthPx: 124 },
  { id: 'engine', header: 'Engine', leastPx: 130, cell: (request) => <Cut text={engineText(request)} /> },
  { ...PAGES, cell: pagesText },
  TOTAL,
  COST,
  ERROR,
  { id: 'key', header: 'Key', leastPx: 116, cell: (request) => <Cut text={senderText(request)} /> },
  {
    id: 'id',
    header: 'Request',
    widthPx: 242,
    cell: ({ id }) => (
      <Link href={`/requests/${id}`} className={`kit-link ${classes['id']}`} tabIndex={-1}>
        {id}
      </Link>
    ),
  },
];

/** Whole under the pointer. */
function Cut({ text }: { readonly text: string }) {
  return <span title={text}>{text}</span>;
}

interface RequestListProps {
  readonly rows: readonly RequestRowFragment[];
  readonly onEndNear?: () => void;
}

/** Requests, newest first; a click or Enter opens one. */
export function RequestList({ rows, onEndNear }: RequestListProps) {
  const [, go] = useLocation();
  const [active, activate] = useState(returnedFrom);
  return (
    <div className={classes['list']}>
      <DataTable
        label="Requests"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        height={Math.min(640, 40 + rows.length * 34)}
        rowHeightPx={34}
        activeKey={active}
        onActivate={activate}
        onOpen={({ id }) => go(`/requests/${id}`)}
        {...(onEndNear && { onEndNear })}
      />
    </div>
  );
}

/** The request that is come back from. */
function returnedFrom(): string | null {
  return /^\/requests\/(\w+)$/.exec(returnsFrom() ?? '')?.[1] ?? null;
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
