import { type DocumentNode, print } from 'graphql';
import {
  AlertPreviewChecksDocument,
  type AlertPreviewChecksQuery,
  AlertPreviewEnginesDocument,
  type AlertPreviewEnginesQuery,
  AlertPreviewLatencyDocument,
  type AlertPreviewLatencyQuery,
  AlertPreviewQueueDocument,
  type AlertPreviewQueueQuery,
} from '../../documents.generated.ts';
import type { AlertPreview, AlertRuleInput } from '../../shared/alerts.ts';
import type { GraphqlOperation, GraphqlResult } from '../../shared/channels.ts';
import { type Fired, replay, type Stretch } from './preview.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FEW_REQUESTS = 10;
/** Of a catalogue with more engines the first ones are looked at. */
const MOST_ENGINES = 30;

export interface HistoryTools {
  readonly execute: (operation: GraphqlOperation) => Promise<GraphqlResult>;
  readonly nowMs: number;
  readonly checkEveryMs: number;
}

/** What a rule would have done in the last seven days, by what the gateway keeps of them. */
export async function preview(rule: AlertRuleInput, tools: HistoryTools): Promise<AlertPreview> {
  if (rule.kind === 'provider_auth' || rule.kind === 'owed_usd') {
    return { days: DAYS, fired: [], unknown: 'The gateway keeps no history of this: it is only seen as it happens.' };
  }
  const fired = rule.kind === 'queue_age_seconds' ? await ofQueue(rule, tools) : await ofEngines(rule, tools);
  const oldest = tools.nowMs - DAYS * DAY_MS;
  const within = fired.filter(({ at }) => Date.parse(at) >= oldest);
  return { days: DAYS, fired: within.sort((a, b) => a.at.localeCompare(b.at)), unknown: null };
}

async function ofQueue(rule: AlertRuleInput, tools: HistoryTools): Promise<Fired[]> {
  const { engineId } = rule;
  const { queueHistory } = await read<AlertPreviewQueueQuery>(tools, AlertPreviewQueueDocument, { engine: engineId });
  const points = queueHistory.map(({ at, oldestAgeSeconds }) => ({
    fromMs: Date.parse(at),
    bad: (oldestAgeSeconds ?? 0) > (rule.threshold ?? 0),
    detail: `The oldest had waited ${Math.round(oldestAgeSeconds ?? 0)} s.`,
  }));
  return replay(rule, lasting(points, tools.nowMs), { engineId, checkEveryMs: tools.checkEveryMs });
}

async function ofEngines(rule: AlertRuleInput, tools: HistoryTools): Promise<Fired[]> {
  const fired: Fired[] = [];
  // One after the other: a preview must not take the place of what the page itself asks.
  for (const engineId of await enginesOf(rule, tools)) {
    const stretches =
      rule.kind === 'engine_down' ? await checksOf(engineId, tools) : await hoursOf(rule, engineId, tools);
    fired.push(...replay(rule, stretches, { engineId, checkEveryMs: tools.checkEveryMs }));
  }
  return fired;
}

async function enginesOf({ engineId }: AlertRuleInput, tools: HistoryTools): Promise<readonly string[]> {
  if (engineId !== null) return [engineId];
  const { engines } = await read<AlertPreviewEnginesQuery>(tools, AlertPreviewEnginesDocument, {});
  return engines.slice(0, MOST_ENGINES).map(({ id }) => id);
}

async function hoursOf(rule: AlertRuleInput, engine: string, tools: HistoryTools): Promise<Stretch[]> {
  const answer = await read<AlertPreviewLatencyQuery>(tools, AlertPreviewLatencyDocument, { engine });
  return answer.engine.latency.map(({ bucketHour, requestCount, errorCount, p95Ms }) => {
    const fromMs = Date.parse(bucketHour);
    const limit = rule.threshold ?? 0;
    const stretch = { fromMs, toMs: Math.min(fromMs + HOUR_MS, tools.nowMs) };
    if (rule.kind === 'latency_p95_ms') {
      const bad = p95Ms === null ? null : p95Ms > limit;
      return { ...stretch, bad, detail: `p95 ${Math.round(p95Ms ?? 0)} ms in this hour.` };
    }
    const bad = requestCount < FEW_REQUESTS ? null : errorCount / requestCount > limit;
    return { ...stretch, bad, detail: `${errorCount} of ${requestCount} requests failed in this hour.` };
  });
}

async function checksOf(engine: string, tools: HistoryTools): Promise<Stretch[]> {
  const points: Point[] = [];
  for (let day = DAYS; day >= 0; day--) {
    const date = new Date(tools.nowMs - day * DAY_MS).toISOString().slice(0, 10);
    const answer = await read<AlertPreviewChecksQuery>(tools, AlertPreviewChecksDocument, { engine, date });
    points.push(
      ...answer.engineChecks.map(({ at, healthy, detail }) => ({
        fromMs: Date.parse(at),
        bad: !healthy,
        detail: detail ?? '',
      })),
    );
  }
  return lasting(points, tools.nowMs);
}

type Point = Omit<Stretch, 'toMs'>;

/** What was seen holds until it is seen again, for an hour at most. */
function lasting(points: readonly Point[], nowMs: number): Stretch[] {
  const ordered = [...points].sort((a, b) => a.fromMs - b.fromMs);
  return ordered.map((point, index) => {
    const nextMs = ordered[index + 1]?.fromMs ?? nowMs;
    return { ...point, toMs: Math.min(nextMs, point.fromMs + HOUR_MS) };
  });
}

/** An answer with errors is none: the message goes to the caller. */
async function read<T>(tools: HistoryTools, document: DocumentNode, variables: Record<string, unknown>): Promise<T> {
  const { data, errors } = await tools.execute({ query: print(document), variables });
  if (errors?.[0] || !data) throw new Error(errors?.[0]?.message ?? 'The gateway did not answer.');
  return data as T; // the generated type of this very document
}
