import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './kit.module.css';

interface WideTableProps {
  /** What it lists, for those who do not see it. */
  readonly label: string;
  readonly minWidthPx?: number;
  readonly children: ReactNode;
}

/** A table that scrolls sideways where the screen is narrower, by keys too. */
export function WideTable({ label, minWidthPx = 760, children }: WideTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={classes['wide']} tabIndex={0} aria-label={`${label}, as a table`}>
      <Table
        miw={minWidthPx}
        aria-label={label}
        className={classes['table']}
        verticalSpacing={7}
        horizontalSpacing={16}
      >
        {children}
      </Table>
    </section>
  );
}
