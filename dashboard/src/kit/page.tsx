import { type ReactNode, useRef } from 'react';
import classes from './page.module.css';
import { useArrival } from './use-arrival.ts';
import { useTitle } from './use-title.ts';

interface PageProps {
  readonly title: string;
  /** Instead of the title alone: what stands in the page's heading. */
  readonly heading?: ReactNode;
  /** One sentence about what the page is for. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading, and what can be done on it. */
export function Page({ title, heading = title, lead, actions, children }: PageProps) {
  useTitle(title);
  const head = useRef<HTMLHeadingElement>(null);
  useArrival(head);
  return (
    <div className={classes['page']}>
      <header className={classes['pageHead']}>
        <div className={classes['pageWords']}>
          <h1 ref={head} tabIndex={-1} className={classes['pageTitle']}>
            {heading}
          </h1>
          {lead && <p className={classes['lead']}>{lead}</p>}
        </div>
        {actions && <div className={classes['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
