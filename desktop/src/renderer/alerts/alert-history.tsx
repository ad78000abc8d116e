import { Button } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useEffect, useRef } from 'react';
import { AlertHistoryDocument, type AlertHistoryQuery, type AlertLineFragment } from '../../documents.generated.ts';
import { leftWords } from '../../shared/alerts.ts';
import { usePages } from '../graphql/use-pages.ts';
import { ExportButton } from '../kit/export-button.tsx';
import { OfTime } from '../kit/of-time.tsx';
import { useSince } from '../navigation/use-since.ts';
import { ALERT_FILE, alertReader } from './alert-file.ts';
import classes from './alerts.module.css';
import { SEVERITIES } from './severities.ts';

const PAGE_ROWS = 50;

interface AlertHistoryProps {
  /** Id of the alert that ended last: with another one, the list is asked for again. */
  readonly latest: string | null;
}

/** Alerts of the time range that are over, the latest first. */
export function AlertHistory({ latest }: AlertHistoryProps) {
  const { since, words, onAnyTime } = useSince();
  const { rows, isCurrent, hasMore, loading, failure, more, reload } = usePages(
    AlertHistoryDocument,
    { from: since, limit: PAGE_ROWS },
    pageOf,
  );
  const shown = useRef(latest);
  useEffect(() => {
    if (shown.current !== latest) reload();
    shown.current = latest;
  }, [latest, reload]);
  const ended = rows.filter(({ endedAt }) => endedAt !== null);
  const isKnown = !loading && !failure;
  return (
    <section aria-labelledby="history">
      <h2 id="history" className={classes['heading']}>
        History
        <span className={classes['checked']}>
          <OfTime words={words} onAnyTime={onAnyTime} />
        </span>
        {ended.length > 0 && (
          <span className={classes['headingEnd']}>
            <ExportButton name="alerts" from={() => alertReader(since)} columns={ALERT_FILE} />
          </span>
        )}
      </h2>
      <ResultNews asked={`${since}`} found={isCurrent ? foundWords(ended.length, hasMore) : null} />
      <div className={`kit-panel ${classes['firing']}`}>
        {ended.length === 0 && loading && <Loading rows={2} label="History: loading" />}
        {ended.length === 0 && failure && (
          <Failed title="The history could not be loaded" message={failureText(failure)} onRetry={reload} />
        )}
        {ended.length === 0 && isKnown && (
          <span className="kit-soft">No alert has ended {onAnyTime ? words : 'yet'}.</span>
        )}
        {ended.map((alert) => (
          <Ended key={alert.id} alert={alert} />
        ))}
        {hasMore && (
          <Button variant="default" loading={loading} onClick={more}>
            Show older
          </Button>
        )}
      </div>
    </section>
  );
}

function pageOf({ alerts }: AlertHistoryQuery) {
  return {
    nodes: alerts,
    pageInfo: { endCursor: alerts.at(-1)?.id ?? null, hasNextPage: alerts.length === PAGE_ROWS },
  };
}

function foundWords(alerts: number, hasMore: boolean): string {
  return `${plural(alerts, 'alert')} that ended${hasMore ? ', older ones below' : ''}`;
}

function Ended({ alert }: { readonly alert: AlertLineFragment }) {
  const { beganAt, severity, title, detail, acknowledgedBy } = alert;
  return (
    <div className={classes['fired']}>
      <span>{shortTime(beganAt)}</span>
      <span className={classes['firedDetail']}>
        {SEVERITIES[severity].name}: {title}
        {detail !== '' && <span className="kit-soft"> {detail}</span>}
      </span>
      <span className="kit-soft">{endText(alert)}</span>
      {acknowledgedBy !== null && <span className="kit-soft">acknowledged by {acknowledgedBy}</span>}
    </div>
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
