import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './charts.module.css';

interface ChartFrameProps {
  readonly title: string;
  /** Switches and chips of this chart. */
  readonly controls?: ReactNode;
  /** What the figures say, in a line of its own. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
  /** The same figures as a table: the header, and the rows as text. */
  readonly table: () => { readonly head: readonly string[]; readonly rows: ReadonlyArray<readonly string[]> };
}

/** A chart with its title, and the same figures as a table for those who want or need one. */
export function ChartFrame({ title, controls, note, children, table }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <section className={classes['frame']} aria-labelledby={id}>
      <header className={classes['frameHead']}>
        <h2 id={id} className={classes['frameTitle']}>
          {title}
        </h2>
        <div className={classes['frameControls']}>
          {controls}
          <Button variant="default" size="compact-xs" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </Button>
        </div>
      </header>
      {note && <p className={classes['frameNote']}>{note}</p>}
      {asTable ? <FiguresTable title={title} {...table()} /> : children}
    </section>
  );
}

interface FiguresTableProps {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
}

function FiguresTable({ title, head, rows }: FiguresTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={classes['figures']} tabIndex={0} aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((text, index) => (
                <td key={head[index]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
