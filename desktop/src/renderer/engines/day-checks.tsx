import { Button, Switch } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { utcClock, utcDay } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useState } from 'react';
import { EngineChecksDocument, type EngineChecksQuery } from '../../documents.generated.ts';
import classes from './engines.module.css';

interface DayChecksProps {
  readonly id: string;
  readonly date: string;
  readonly onClose: () => void;
}

type Check = EngineChecksQuery['engineChecks'][number];

/** Every health check of one day, good days too. */
export function DayChecks({ id, date, onClose }: DayChecksProps) {
  const answer = useQuery(EngineChecksDocument, { id, date });
  const [chosen, setChosen] = useState<boolean | null>(null);
  // A bad day opens at what was bad.
  const onlyFailed = chosen ?? answer.data?.engineChecks.some(({ healthy }) => !healthy) ?? false;
  return (
    <section className="kit-panel" aria-label={`Checks of ${utcDay(date)}`}>
      <header className={classes['dayHead']}>
        <h3 className={classes['dayTitle']}>{utcDay(date)} (UTC)</h3>
        <Switch label="Only failed" checked={onlyFailed} onChange={(event) => setChosen(event.currentTarget.checked)} />
        <Button variant="default" size="compact-xs" onClick={onClose}>
          Close
        </Button>
      </header>
      <Answer subject="The checks" answer={answer}>
        {({ engineChecks }) => <Checks checks={engineChecks} onlyFailed={onlyFailed} />}
      </Answer>
    </section>
  );
}

function Checks({ checks, onlyFailed }: { readonly checks: readonly Check[]; readonly onlyFailed: boolean }) {
  const failed = checks.filter(({ healthy }) => !healthy);
  if (checks.length === 0) {
    return (
      <Empty title="The checks of this day are no longer kept one by one">
        The share above comes from its daily totals.
      </Empty>
    );
  }
  if (onlyFailed && failed.length === 0) return <Empty title="No check failed on this day" />;
  return (
    <>
      <p className={classes['daySum']}>
        {plural(checks.length, 'check')}, {failed.length} failed
      </p>
      <DataTable
        label="Checks"
        rows={onlyFailed ? failed : checks}
        columns={CHECK_COLUMNS}
        rowKey={({ at }) => at}
        rowHeightPx={28}
        height={280}
      />
    </>
  );
}

const CHECK_COLUMNS: ReadonlyArray<Column<Check>> = [
  { id: 'at', header: 'At', widthPx: 110, sortBy: ({ at }) => at, cell: ({ at }) => utcClock(at) },
  {
    id: 'healthy',
    header: 'Result',
    widthPx: 130,
    sortBy: ({ healthy }) => (healthy ? 1 : 0),
    cell: ({ healthy }) => <StatusMark state={healthy ? 'healthy' : 'down'} word={healthy ? 'Healthy' : 'Failed'} />,
  },
  {
    id: 'took',
    header: 'Time',
    widthPx: 90,
    align: 'right',
    sortBy: ({ latencyMs }) => latencyMs,
    cell: ({ latencyMs }) => duration(latencyMs),
  },
  { id: 'detail', header: 'Problem', cell: ({ detail }) => detail ?? '' },
];
