import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useLocation } from 'wouter';
import type { RequestLineFragment } from '../../documents.generated.ts';
import { LINE_COLUMNS } from './line-columns.tsx';

interface RequestLinesProps {
  readonly requests: readonly RequestLineFragment[];
  /** As high as its rows when absent. */
  readonly height?: number | string;
  readonly onEndNear?: () => void;
}

const ROW_PX = 30;
const HEADER_PX = 31;

/** Requests as a table; a row opens its request. */
export function RequestLines({
  requests,
  height = HEADER_PX + requests.length * ROW_PX,
  onEndNear,
}: RequestLinesProps) {
  const [, navigate] = useLocation();
  return (
    <DataTable
      label="Requests"
      rows={requests}
      columns={LINE_COLUMNS}
      rowKey={({ id }) => id}
      rowHeightPx={ROW_PX}
      height={height}
      onOpen={({ id }) => navigate(`/jobs?request=${id}`)}
      onEndNear={onEndNear}
    />
  );
}
