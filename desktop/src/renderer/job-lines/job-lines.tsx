import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useLocation } from 'wouter';
import type { JobLineFragment } from '../../documents.generated.ts';
import { JOB_COLUMNS } from './job-columns.tsx';

interface JobLinesProps {
  readonly jobs: readonly JobLineFragment[];
  /** As high as its rows when absent. */
  readonly height?: number | string;
  readonly onEndNear?: () => void;
}

const ROW_PX = 30;
const HEADER_PX = 31;

/** Requests as a table; a row opens its request. */
export function JobLines({ jobs, height = HEADER_PX + jobs.length * ROW_PX, onEndNear }: JobLinesProps) {
  const [, navigate] = useLocation();
  return (
    <DataTable
      label="Requests"
      rows={jobs}
      columns={JOB_COLUMNS}
      rowKey={({ id }) => id}
      rowHeightPx={ROW_PX}
      height={height}
      onOpen={({ id }) => navigate(`/jobs?request=${id}`)}
      onEndNear={onEndNear}
    />
  );
}
