import { AlertHistoryDocument, type AlertLineFragment } from '../../documents.generated.ts';
import { askOnce } from '../graphql/ask-once.ts';
import type { PageReader } from '../graphql/read-all.ts';
import type { FileColumn } from '../kit/export-button.tsx';

const PAGE_ROWS = 200;

/** An alert as a line of a file. */
export const ALERT_FILE: ReadonlyArray<FileColumn<AlertLineFragment>> = [
  { header: 'id', value: ({ id }) => id },
  { header: 'began_at', value: ({ beganAt }) => beganAt },
  { header: 'ended_at', value: ({ endedAt }) => endedAt },
  { header: 'severity', value: ({ severity }) => severity },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'engine', value: ({ engineId }) => engineId },
  { header: 'title', value: ({ title }) => title },
  { header: 'detail', value: ({ detail }) => detail },
  { header: 'told_at', value: ({ toldAt }) => toldAt },
  { header: 'acknowledged_at', value: ({ acknowledgedAt }) => acknowledgedAt },
  { header: 'acknowledged_by', value: ({ acknowledgedBy }) => acknowledgedBy },
  { header: 'note', value: ({ note }) => note },
  { header: 'rule_id', value: ({ ruleId }) => ruleId },
  { header: 'ended_by', value: ({ endedBy }) => endedBy },
];

/** Reads all alerts that are over and were there since then, the latest first; null: all that are kept. */
export function alertReader(from: string | null): PageReader<AlertLineFragment> {
  return async (after) => {
    const { alerts } = await askOnce(AlertHistoryDocument, { after, limit: PAGE_ROWS, from });
    return {
      rows: alerts.filter(({ endedAt }) => endedAt !== null),
      next: alerts.length < PAGE_ROWS ? null : (alerts.at(-1)?.id ?? null),
    };
  };
}
