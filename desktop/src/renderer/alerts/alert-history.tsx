import { duration } from '@ocr-router/ui/format/duration.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import type { AlertLineFragment } from '../../documents.generated.ts';
import { leftWords } from '../../shared/alerts.ts';
import { ExportButton } from '../kit/export-button.tsx';
import { ALERT_FILE, alertReader } from './alert-file.ts';
import classes from './alerts.module.css';
import { SEVERITIES } from './severities.ts';

/** Alerts that are over, the latest first. */
export function AlertHistory({ ended }: { readonly ended: readonly AlertLineFragment[] }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history" className={classes['heading']}>
        History
        {ended.length > 0 && <span className={classes['checked']}>the latest that have ended</span>}
        {ended.length > 0 && (
          <span className={classes['headingEnd']}>
            <ExportButton name="alerts" from={alertReader} columns={ALERT_FILE} />
          </span>
        )}
      </h2>
      <div className={`kit-panel ${classes['firing']}`}>
        {ended.length === 0 && <span className="kit-soft">Nothing yet.</span>}
        {ended.map((alert) => (
          <div key={alert.id} className={classes['fired']}>
            <span>{shortTime(alert.beganAt)}</span>
            <span className={classes['firedDetail']}>
              {SEVERITIES[alert.severity].name}: {alert.title}
              {alert.detail !== '' && <span className="kit-soft"> {alert.detail}</span>}
            </span>
            <span className="kit-soft">{endText(alert)}</span>
            {alert.acknowledgedBy !== null && <span className="kit-soft">acknowledged by {alert.acknowledgedBy}</span>}
          </div>
        ))}
      </div>
    </section>
  );
}

/** After how long it ended, and by what: only a recovery says that it is well again. */
function endText({ beganAt, endedAt, endedBy }: AlertLineFragment): string {
  if (endedAt === null) return '';
  const span = duration(Date.parse(endedAt) - Date.parse(beganAt));
  if (endedBy === 'recovery') return `recovered after ${span}`;
  const why = leftWords(endedBy);
  return why === null ? `lasted ${span}` : `not recovered: ${why} after ${span}`;
}
