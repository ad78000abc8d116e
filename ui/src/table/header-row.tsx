import type { Column, Sort } from './column.ts';
import classes from './table.module.css';

interface HeaderRowProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
}

/** The header: a button in each column that sorts. */
export function HeaderRow<Row>({ columns, sort, onSort }: HeaderRowProps<Row>) {
  return (
    <tr aria-rowindex={1}>
      {columns.map((column) => {
        const order = sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined;
        const arrow = order === undefined ? '' : order === 'ascending' ? '↑' : '↓';
        return (
          <th
            key={column.id}
            scope="col"
            title={column.hint}
            className={classes['head']}
            data-align={column.align}
            aria-sort={order}
          >
            {column.sortBy || column.sortable ? (
              <button type="button" className={classes['sort']} onClick={() => onSort(column.id)}>
                {column.header}
                {arrow !== '' && <span aria-hidden>{arrow}</span>}
              </button>
            ) : (
              column.header
            )}
          </th>
        );
      })}
    </tr>
  );
}
