import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  /** In a narrow panel: names of one width, closer together. */
  readonly dense?: boolean;
}

/** Names and values, a line each; what has no value is left out. */
export function Facts({ facts, dense = false }: FactsProps) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl className={classes['facts']} data-dense={dense}>
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
