import { Fragment, type ReactNode } from 'react';
import classes from './kit.module.css';

/** Names and values, a line each. */
export function Facts({ rows }: { readonly rows: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  return (
    <dl className={classes['facts']}>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
