import { Button } from '@mantine/core';
import { age } from '@ocr-router/ui/format/age.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { Link } from 'wouter';
import type { AlertLineFragment, AlertsNowFragment } from '../../documents.generated.ts';
import { alertPath } from '../../shared/alerts.ts';
import classes from './alerts.module.css';
import { compareSeverities, SEVERITIES } from './severities.ts';

interface FiringListProps {
  readonly overview: AlertsNowFragment;
  readonly onAcknowledge: (id: string) => void;
}

/** What holds now, the most severe first, each leading to what it is about. */
export function FiringList({ overview, onAcknowledge }: FiringListProps) {
  const { firing, lastCheckAt, checkEverySeconds, rules } = overview;
  const nowMs = useNow(1000);
  if (rules.length === 0 && firing.length === 0) return null;
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
        {bySeverity(firing).map((alert) => (
          <Firing key={alert.id} alert={alert} nowMs={nowMs} onAcknowledge={() => onAcknowledge(alert.id)} />
        ))}
      </div>
    </section>
  );
}

function bySeverity(firing: readonly AlertLineFragment[]): readonly AlertLineFragment[] {
  return firing.toSorted((a, b) => compareSeverities(a.severity, b.severity));
}

interface FiringProps {
  readonly alert: AlertLineFragment;
  readonly nowMs: number;
  readonly onAcknowledge: () => void;
}

function Firing({ alert, nowMs, onAcknowledge }: FiringProps) {
  const { title, detail, severity, beganAt, toldAt, acknowledgedAt, acknowledgedBy } = alert;
  return (
    <div className={`${classes['fired']} ${classes['now']}`}>
      <StatusMark state={SEVERITIES[severity].look} word={`${SEVERITIES[severity].name}: ${title}`} />
      <span className={classes['firedDetail']}>{detail}</span>
      <span className="kit-soft">
        {age(beganAt, nowMs)}
        {toldAt === null && ', not sent'}
      </span>
      {acknowledgedAt === null ? (
        <Button size="compact-xs" variant="default" aria-label={`Acknowledge: ${title}`} onClick={onAcknowledge}>
          Acknowledge
        </Button>
      ) : (
        <span className="kit-soft">acknowledged by {acknowledgedBy ?? 'an operator'}</span>
      )}
      <Link className="kit-link" href={alertPath(alert)}>
        Open
      </Link>
    </div>
  );
}
