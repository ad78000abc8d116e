import type { ClaimedNotice } from './delivery-store.ts';
import { type AlertChange, type Notice, noticeOf, severityOf, TEST_NOTICE } from './notice.ts';

const LONGEST_TEXT = 8000;
const LONGEST_TITLE = 200;

/** The title and text of a notice for people, cut off where they are too long. */
export function messageOf({ event, changes, omitted }: Pick<ClaimedNotice, 'event' | 'changes' | 'omitted'>): Notice {
  const { title, text } = event === 'test' ? TEST_NOTICE : noticeOf(changes, omitted);
  return { title: cut(title.replaceAll(/\s+/g, ' '), LONGEST_TITLE), text: cut(text, LONGEST_TEXT) };
}

/** The body of a `webhook`, with the same bytes at each attempt. */
export function webhookBody(notice: ClaimedNotice): string {
  const { id, event, changes, omitted, createdAt } = notice;
  return JSON.stringify({
    event: event === 'test' ? 'alert.test' : 'alert',
    id,
    ...messageOf(notice),
    alerts: changes.map(inJson),
    omitted,
    created_at: createdAt.toISOString(),
  });
}

/** The body for an incoming webhook of Slack, whose three special characters are escaped as it asks. */
export function slackBody(notice: ClaimedNotice): string {
  const { title, text } = messageOf(notice);
  const escaped = [`*${title}*`, text].filter((part) => part !== '').join('\n');
  return JSON.stringify({
    text: escaped.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  });
}

function inJson(change: AlertChange) {
  const { engineId, beganAt, endedAt, endedBy = null, ...rest } = change;
  const times = { began_at: beganAt, ended_at: endedAt, ended_by: endedBy };
  return { ...rest, severity: severityOf(change), engine: engineId, ...times };
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`; // no half of a character: receivers may refuse its JSON
}
