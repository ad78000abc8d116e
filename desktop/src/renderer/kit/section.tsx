import { type ReactNode, useId } from 'react';
import classes from './kit.module.css';

interface SectionProps {
  readonly title: string;
  /** Buttons that belong to the section. */
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of the request's panel. */
export function Section({ title, controls, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <header className={classes['sectionHead']}>
        <h3 id={id} className={classes['sectionTitle']}>
          {title}
        </h3>
        {controls}
      </header>
      {children}
    </section>
  );
}

/** Names and values side by side; what has no value is left out. */
export function Facts({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl className={classes['facts']}>
      {known.flatMap(([name, value]) => [<dt key={`${name}?`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  );
}
