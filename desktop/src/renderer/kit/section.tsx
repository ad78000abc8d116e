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
