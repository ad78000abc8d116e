import { type ReactNode, useId } from 'react';
import classes from './page.module.css';

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Without room around what it holds: for tables that reach its edges. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A titled part of a page. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes['panel']} aria-labelledby={id}>
      <header className={classes['panelHead']}>
        <h2 id={id} className={classes['panelTitle']}>
          {title}
        </h2>
        {actions && <div className={classes['actions']}>{actions}</div>}
      </header>
      <div className={flush ? classes['panelFlush'] : classes['panelBody']}>{children}</div>
    </section>
  );
}
