import type { AlertCheckQuery } from '../../documents.generated.ts';
import type { AlertRuleInput } from '../../shared/alerts.ts';

/** What one check says of one engine, or of the gateway. */
export interface Observation {
  readonly engineId: string | null;
  /** Null: there is nothing to judge by, which neither fires nor recovers. */
  readonly bad: boolean | null;
  readonly title: string;
  readonly detail: string;
  readonly path: string;
}

type Engine = AlertCheckQuery['engines'][number];

/** Below it, a share of failures says little. */
const FEW_REQUESTS = 10;

/** What a rule sees: one observation an engine it watches, or one of the whole gateway. */
export function observe(rule: AlertRuleInput, now: AlertCheckQuery): readonly Observation[] {
  if (rule.kind === 'owed_usd') return [owed(rule.threshold ?? 0, now)];
  const engines = now.engines.filter(({ id }) => rule.engineId === null || id === rule.engineId);
  return engines.map((engine) => ({
    engineId: engine.id,
    path: rule.kind === 'queue_age_seconds' ? '/queue' : `/engines/${encodeURIComponent(engine.id)}`,
    ...ofEngine(rule, engine, now),
  }));
}

function ofEngine(
  { kind, threshold }: AlertRuleInput,
  engine: Engine,
  now: AlertCheckQuery,
): Pick<Observation, 'bad' | 'title' | 'detail'> {
  const limit = threshold ?? 0;
  switch (kind) {
    case 'engine_down':
      return down(engine);
    case 'latency_p95_ms': {
      const { p95Ms } = engine.window;
      const detail = `p95 ${seconds(p95Ms ?? 0)}, above ${seconds(limit)}.`;
      return { bad: p95Ms === null ? null : p95Ms > limit, title: `${engine.name} is slow`, detail };
    }
    case 'error_rate': {
      const { errors, requests, unavailable } = engine.window;
      const calls = requests + unavailable;
      const rate = calls === 0 ? 0 : (errors + unavailable) / calls;
      const refused = unavailable > 0 ? ' or were refused' : '';
      const detail = `${percent(rate)} of ${calls} requests failed${refused}, more than ${percent(limit)}.`;
      return { bad: calls >= FEW_REQUESTS ? rate > limit : null, title: `Requests fail on ${engine.name}`, detail };
    }
    case 'queue_age_seconds': {
      const age = now.queues.find(({ engineId }) => engineId === engine.id)?.oldestAgeSeconds ?? 0;
      const detail = `The oldest has waited ${Math.round(age)} s, more than ${limit} s.`;
      return { bad: age > limit, title: `Requests wait for ${engine.name}`, detail };
    }
    case 'provider_auth':
      return unauthorised(engine);
    case 'owed_usd':
      return { bad: null, title: '', detail: '' }; // of no engine: answered before
  }
}

function down({ name, enabled, obstacle, health, lastError }: Engine): Pick<Observation, 'bad' | 'title' | 'detail'> {
  const isDown = health.status === 'unhealthy' || obstacle === 'unhealthy' || obstacle === 'resting';
  const unknown = !enabled || (health.status === 'unknown' && !isDown);
  return { bad: unknown ? null : isDown, title: `${name} is down`, detail: lastError ?? health.detail ?? '' };
}

/** It has recovered when a later call was answered otherwise, and not when calls have ceased. */
function unauthorised({ name, health, lastError }: Engine): Pick<Observation, 'bad' | 'title' | 'detail'> {
  const bad = health.providerFault === 'credentials_refused';
  return { bad, title: `The provider of ${name} refuses the key`, detail: bad ? (lastError ?? '') : '' };
}

function owed(limit: number, { overview }: AlertCheckQuery): Observation {
  return {
    engineId: null,
    bad: overview.owed > limit,
    title: 'Owed amounts pile up',
    detail: `Accounts owe $${overview.owed.toFixed(2)}, more than $${limit.toFixed(2)}.`,
    path: '/accounts',
  };
}

function seconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
