import type { ReactNode } from 'react';
import classes from './state.module.css';

/** The line above a page whose figures are not of now. */
export function Offline({ children }: { readonly children: ReactNode }) {
  return <output className={classes['offline']}>{children}</output>;
}

/** Greys figures that are not of now. */
export function Stale({ stale, children }: { readonly stale: boolean; readonly children: ReactNode }) {
  return <div className={stale ? classes['stale'] : undefined}>{children}</div>;
}
