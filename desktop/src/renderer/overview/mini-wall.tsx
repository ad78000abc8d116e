import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { compareStates, engineState } from '@ocr-router/ui/status/engine-state.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { Link } from 'wouter';
import type { OverviewQuery } from '../../documents.generated.ts';
import classes from './overview.module.css';

/** Every engine in a line of its own, worst first. */
export function MiniWall({ engines }: Pick<OverviewQuery, 'engines'>) {
  const lines = engines
    .map((engine) => ({ ...engine, state: engineState({ health: engine.health.status, obstacle: engine.obstacle }) }))
    .sort((a, b) => compareStates(a.state, b.state));
  return (
    <section aria-labelledby="mini-wall">
      <h2 id="mini-wall" className={classes['heading']}>
        Engines
      </h2>
      <ul className={classes['mini']}>
        {lines.map(({ id, name, state, window }) => (
          <li key={id}>
            <Link href={`/engines/${id}`} className={`kit-panel ${classes['tile']}`} title={name}>
              <span className={classes['tileName']}>{name}</span>
              <span className={classes['tileFoot']}>
                <StatusMark state={state} />
                {isHighErrorRate(window) ? (
                  <span className={classes['tileBad']}>{share(window.errorRate)} errors</span>
                ) : (
                  <span>p95 {duration(window.p95Ms)}</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
