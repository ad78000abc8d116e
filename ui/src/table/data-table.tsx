import { type ReactNode, type Ref, useEffect, useId, useMemo, useRef } from 'react';
import { inRem } from '../theme/text-scale.ts';
import type { Column, Sort } from './column.ts';
import { DataRow } from './data-row.tsx';
import { HeaderRow } from './header-row.tsx';
import { rowKeyHandler } from './row-keys.ts';
import classes from './table.module.css';
import { useActiveKey } from './use-active-key.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRowWindow } from './use-row-window.ts';
import { useSortedRows } from './use-sorted-rows.ts';

interface DataTableProps<Row> {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Keep it outside the component, or in a memo. */
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rowKey: (row: Row) => string;
  readonly initialSort?: Sort;
  /** How the source of the rows has sorted them, for a list of which a part alone is here. */
  readonly sort?: Sort;
  /** A click on the header of a `sortable` column: the caller asks the source for another order. */
  readonly onSort?: (column: string) => void;
  /** With text of the usual size, as all lengths here: rows and columns grow with the reader's text. */
  readonly rowHeightPx?: number;
  /** The table's height; all of its place when absent. */
  readonly height?: number | string;
  /** The marked row, where the caller keeps it. */
  readonly activeKey?: string | null;
  readonly onActivate?: (key: string) => void;
  /** A click on a row, or Enter. */
  readonly onOpen?: (row: Row) => void;
  /** The end of the rows is near: time to fetch more. */
  readonly onEndNear?: () => void;
  readonly onScroll?: (scrollTopPx: number) => void;
  /** How far it is scrolled at first, where it is come back to. */
  readonly initialTopPx?: number;
  readonly empty?: ReactNode;
  readonly tableRef?: Ref<HTMLTableElement>;
}

/** What a column without a width has at least where it says nothing. */
const LEAST_FREE_PX = 116;

/** A table of any length with the rows of the window only: sortable, moved through by keys, one tab stop. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rowKey, rowHeightPx = 32, height = '100%', initialTopPx = 0, onOpen, onEndNear } = props;
  const { rows, sort, toggleSort } = useSortedRows(props.rows, columns, props.initialSort);
  const [activeKey, activate] = useActiveKey(props.activeKey, props.onActivate);
  const id = useId();
  const { scroller, items, before, after, lastIndex, show } = useRowWindow(rows.length, rowHeightPx, initialTopPx);
  const minWidth = columns.reduce((sum, { widthPx, leastPx = LEAST_FREE_PX }) => sum + (widthPx ?? leastPx), 0);
  const activeIndex = useMemo(
    () => (activeKey === null ? -1 : rows.findIndex((row) => rowKey(row) === activeKey)),
    [activeKey, rows, rowKey],
  );

  useEffect(() => {
    if (rows.length > 0 && lastIndex >= rows.length - 20) onEndNear?.();
  }, [lastIndex, rows.length, onEndNear]);

  const latestIndex = useRef(activeIndex);
  latestIndex.current = activeIndex;
  const isListed = activeIndex >= 0;
  const { activeKey: keptKey = null } = props;
  const isFirst = useRef(true);
  useEffect(() => {
    // What was opened by its id, elsewhere, is to be seen in the list, too; in its middle where it is come back to, since new rows push it down.
    if (isListed && keptKey !== null)
      show(latestIndex.current, { align: isFirst.current && initialTopPx === 0 ? 'center' : 'auto' });
    isFirst.current = false;
  }, [isListed, keptKey, show, initialTopPx]);

  const { pick, move } = useRowActions({ rows, rowKey, onOpen, activate, show });

  return (
    <div
      ref={scroller}
      className={classes['scroller']}
      style={typeof height === 'number' ? { height: inRem(height), minHeight: 0 } : { height }}
      onScroll={(event) => props.onScroll?.(event.currentTarget.scrollTop)}
    >
      <table
        ref={props.tableRef}
        className={classes['table']}
        style={{ minWidth: inRem(minWidth) }}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys move through its rows
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
        data-opens={onOpen !== undefined}
        onKeyDown={rowKeyHandler({ rowCount: rows.length, activeIndex, onMove: move, onOpen: pick })}
      >
        <Widths columns={columns} />
        <thead className={classes['header']}>
          <HeaderRow columns={columns} sort={props.sort ?? sort} onSort={props.onSort ?? toggleSort} />
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = rowKey(row);
            return (
              <DataRow
                key={key}
                id={`${id}-${index}`}
                row={row}
                index={index}
                columns={columns}
                heightPx={rowHeightPx}
                active={index === activeIndex}
                onPick={pick}
              />
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
      {rows.length === 0 && props.empty}
    </div>
  );
}

function Widths<Row>({ columns }: Pick<DataTableProps<Row>, 'columns'>) {
  return (
    <colgroup>
      {columns.map(({ id, widthPx }) => (
        <col key={id} style={widthPx === undefined ? undefined : { width: inRem(widthPx) }} />
      ))}
    </colgroup>
  );
}
