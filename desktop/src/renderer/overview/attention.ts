import { lasting } from '@ocr-router/ui/format/age.ts';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { compareStates, type EngineState, engineState } from '@ocr-router/ui/status/engine-state.ts';
import { HIGH_ERROR_RATE } from '@ocr-router/ui/status/error-rate.ts';
import type { OverviewQuery } from '../../documents.generated.ts';

export interface AttentionItem {
  readonly state: Extract<EngineState, 'down' | 'degraded'>;
  /** What it is about; shown beside the state's shape. */
  readonly word: 'Down' | 'Degraded' | 'Errors' | 'Queue' | 'Money';
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

const OLD_QUEUE_SECONDS = 60;
/** Below it, a share of failures says little. */
const FEW_REQUESTS = 20;

/** What somebody should look at, worst first; empty when all is quiet. */
export function attention(now: OverviewQuery, nowMs: number): readonly AttentionItem[] {
  const items = [
    ...now.engines.flatMap((engine) => engineItems(engine, nowMs)),
    ...queueItems(now),
    ...moneyItems(now),
  ];
  return items.sort((a, b) => compareStates(a.state, b.state));
}

function engineItems(engine: OverviewQuery['engines'][number], nowMs: number): AttentionItem[] {
  const { id, name, health, obstacle, stateSince, lastError, window } = engine;
  const state = engineState({ health: health.status, obstacle });
  const since = stateSince === null ? '' : ` for ${lasting(stateSince, nowMs)}`;
  const failed = `/requests?${new URLSearchParams({ engine: id, status: 'failed' })}`;
  const detail = [health.detail, lastError].filter(Boolean).join(' · ');
  if (state === 'down')
    return [
      { state, word: 'Down', title: `${name} ${since ? `has been down${since}` : 'is down'}`, detail, href: failed },
    ];
  if (state === 'degraded') {
    return [
      {
        state,
        word: 'Degraded',
        title: `${name} ${since ? `has been degraded${since}` : 'is degraded'}`,
        detail,
        href: failed,
      },
    ];
  }
  const { errorRate, requests } = window;
  if (state === 'disabled' || errorRate === null || errorRate < HIGH_ERROR_RATE || requests < FEW_REQUESTS) return [];
  const title = `${share(errorRate)} of runs on ${name} end in an engine error`;
  return [
    {
      state: 'degraded',
      word: 'Errors',
      title,
      detail: `Of ${plural(requests, 'run')} in this time.`,
      href: failed,
    },
  ];
}

function queueItems({ queues, engines }: OverviewQuery): AttentionItem[] {
  return queues
    .filter(({ oldestAgeSeconds }) => (oldestAgeSeconds ?? 0) > OLD_QUEUE_SECONDS)
    .map(({ engineId, queued, oldestAgeSeconds }) => ({
      state: 'degraded',
      word: 'Queue',
      title: `The oldest request for ${nameOf(engineId, engines)} has waited ${duration((oldestAgeSeconds ?? 0) * 1000)}`,
      detail: `${plural(queued, 'request')} in the queue.`,
      href: '/queue',
    }));
}

function moneyItems({ overview, pendingCosts }: OverviewQuery): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (overview.owed > 0) {
    const detail = 'The next top-up of each account pays it first.';
    items.push({
      state: 'degraded',
      word: 'Money',
      title: `Accounts owe ${money(overview.owed)}`,
      detail,
      href: '/accounts?owing=1',
    });
  }
  if (pendingCosts.length > 0) {
    const title = `The cost of ${plural(pendingCosts.length, 'attempt')} is not known yet`;
    items.push({
      state: 'degraded',
      word: 'Money',
      title,
      detail: pendingWords(pendingCosts),
      href: '/accounts?tab=costs',
    });
  }
  return items;
}

function pendingWords(costs: OverviewQuery['pendingCosts']): string {
  const doubted = costs.filter(({ usageDoubted }) => usageDoubted).length;
  if (doubted === 0) return 'Their providers have not reported it.';
  if (doubted === costs.length) return 'Their providers reported a usage that is not credible.';
  return `Their providers have not reported it, or reported a usage that is not credible (${count(doubted)}).`;
}

function nameOf(engineId: string, engines: OverviewQuery['engines']): string {
  return engines.find(({ id }) => id === engineId)?.name ?? engineId;
}
