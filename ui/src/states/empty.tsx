import type { ReactNode } from 'react';
import classes from './state.module.css';

interface EmptyProps {
  readonly title: string;
  /** Why nothing is here, or what would bring something. */
  readonly children?: ReactNode;
  /** A button or link that does so. */
  readonly action?: ReactNode;
}

/** A page or list that has nothing to show, and is well. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={classes['state']}>
      <p className={classes['title']}>{title}</p>
      {children && <p className={classes['words']}>{children}</p>}
      {action}
    </div>
  );
}
