import { type JSX, memo } from 'react';
import { inRem } from '../theme/text-scale.ts';
import type { Column } from './column.ts';
import classes from './table.module.css';

interface DataRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly heightPx: number;
  readonly active: boolean;
  readonly onPick: (index: number) => void;
}

/** One row; drawn again only when it changes, so that a long table scrolls without long tasks. */
export const DataRow = memo(function DataRow<Row>(props: DataRowProps<Row>) {
  const { row, id, index, columns, heightPx, active, onPick } = props;
  return (
    <tr
      id={id}
      className={classes['row']}
      aria-rowindex={index + 2}
      aria-selected={active}
      style={{ height: inRem(heightPx) }}
      onClick={(event) => {
        // A link or a button in a cell does its own thing.
        if (!(event.target as Element).closest('a, button, input')) onPick(index);
      }}
    >
      {columns.map((column) => (
        <td key={column.id} className={classes['cell']} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: DataRowProps<Row>) => JSX.Element; // memo() forgets the type parameter
