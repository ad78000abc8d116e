import { duration } from '@ocr-router/ui/format/duration.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import type { components } from '../../../openapi/types.d.ts';
import classes from './status.module.css';

type Incident = components['schemas']['Incident'];

interface IncidentListProps {
  readonly incidents: readonly Incident[];
  readonly nowMs: number;
}

/** What went wrong lately, the latest first, in sentences. */
export function IncidentList({ incidents, nowMs }: IncidentListProps) {
  if (incidents.length === 0) return <p className="kit-soft">None in the last 90 days.</p>;
  return (
    <ol className={classes['incidents']}>
      {incidents.map((incident) => (
        <li key={incident.id}>
          <StatusMark state={incident.impact === 'down' ? 'down' : 'degraded'} word={incident.summary} />
          <span className="kit-soft">{spanOf(incident, nowMs)}</span>
        </li>
      ))}
    </ol>
  );
}

function spanOf({ began_at, ended_at }: Incident, nowMs: number): string {
  const lasted = duration((ended_at === null ? nowMs : Date.parse(ended_at)) - Date.parse(began_at));
  return ended_at === null ? `since ${shortTime(began_at)}, for ${lasted}` : `${shortTime(began_at)}, for ${lasted}`;
}
