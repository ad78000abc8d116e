import { share } from '../format/percent.ts';
import { isHighErrorRate } from './error-rate.ts';
import classes from './status.module.css';

/** An error rate; one that somebody needs to look at has the colour of what is down. */
export function ErrorShare({ errorRate }: { readonly errorRate: number | null }) {
  return (
    <span className={classes['errorShare']} data-high={isHighErrorRate({ errorRate })}>
      {share(errorRate)}
    </span>
  );
}
