import { age } from '@ocr-router/ui/format/age.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { Link } from 'wouter';
import type { AlertOverview } from '../../shared/alerts.ts';
import classes from './alerts.module.css';

/** What holds now, each leading to what it is about. */
export function FiringList({ overview }: { readonly overview: AlertOverview }) {
  const { firing, lastCheckAt, checkEverySeconds, rules } = overview;
  const nowMs = useNow(1000);
  if (rules.length === 0) return null;
  const checked = lastCheckAt === null ? 'not checked yet' : `checked ${age(lastCheckAt, nowMs)}`;
  return (
    <section aria-labelledby="firing">
      <h2 id="firing" className={classes['heading']}>
        Now
        <span className={classes['checked']}>
          {checked}, every {duration(checkEverySeconds * 1000)}
        </span>
      </h2>
      <div className={`kit-panel ${classes['firing']}`}>
        {firing.length === 0 && <StatusMark state="healthy" word="No rule is firing" />}
        {firing.map(({ ruleId, engineId, title, detail, at, path }) => (
          <div key={`${ruleId} ${engineId}`} className={classes['fired']}>
            <StatusMark state="down" word={title} />
            <span className={classes['firedDetail']}>{detail}</span>
            <span className="kit-soft">{age(at, nowMs)}</span>
            <Link className="kit-link" href={path}>
              Look
            </Link>
          </div>
        ))}
      </div>
    </section>
  );
}
