import type { Obstacle } from '../../engines/model/obstacle.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import { counted } from '../../platform/numbers/counted.ts';
import type { HealthStatus } from '../series/health.ts';
import type { AlertRule } from './alert-rule.ts';
import { failureRate } from './failure-rate.ts';

/** How an engine is at one check. */
export interface EngineLook {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly obstacle: Obstacle | null;
  readonly status: HealthStatus;
  /** What is wrong, in the service's words; null when nothing is. */
  readonly detail: string | null;
  readonly providerFault: ProviderFault | null;
  /** What is told of its latest call, when that failed, without words of its provider, which may cite a page: alerts outlive requests. */
  readonly lastError: string | null;
  /** Likewise of the call that `providerFault` is of. */
  readonly faultMessage: string | null;
  /** Whether its latest call did not fail, or a probe that reads has succeeded since. */
  readonly isAnswered: boolean;
  /** When the first of the calls ended that have all failed since; null when it is well, or fails otherwise. */
  readonly failingSince: Date | null;
  /** Of the last hour: attempts, those that failed, calls that were refused because it took none, and its p95 a page. */
  readonly requests: number;
  readonly errors: number;
  readonly unavailable: number;
  readonly p95Ms: number | null;
  readonly queued: number;
  readonly oldestAgeSeconds: number | null;
}

/** Everything that rules look at, at one check. */
export interface Look {
  readonly engines: readonly EngineLook[];
  readonly owedUsd: number;
  readonly pendingCosts: number;
  readonly webhookAgeSeconds: number;
  /** What the latest `doctor` found not to hold; null when it never ran. */
  readonly doctorFailed: readonly string[] | null;
}

/** What one check says of one engine, or of the gateway. */
export interface Observation {
  readonly engineId: string | null;
  /** Null: there is nothing to judge by, which neither fires nor recovers. */
  readonly bad: boolean | null;
  readonly title: string;
  readonly detail: string;
  /** What was compared with the threshold; null for kinds without one. */
  readonly figure: number | null;
  /** Since when it is bad, where that is known. */
  readonly since?: Date | null;
}

type Seen = Omit<Observation, 'engineId'>;
type Watched = Pick<AlertRule, 'kind' | 'engineId' | 'threshold'>;

/** What a rule sees: one observation an engine that it watches, or one of the whole gateway. */
export function observe(rule: Watched, look: Look): readonly Observation[] {
  const limit = rule.threshold ?? 0;
  const ofGateway = gatewaySeen(rule, limit, look);
  if (ofGateway) return [{ engineId: null, ...ofGateway }];
  const engines = look.engines.filter(({ id }) => rule.engineId === null || id === rule.engineId);
  return engines.map((engine) => ({ engineId: engine.id, ...engineSeen(rule, limit, engine) }));
}

/** Null for kinds that watch engines. */
function gatewaySeen({ kind }: Watched, limit: number, look: Look): Seen | null {
  switch (kind) {
    case 'owed_usd': {
      const detail = `Accounts owe $${look.owedUsd.toFixed(2)}, more than $${limit.toFixed(2)}.`;
      return { bad: look.owedUsd > limit, title: 'Owed amounts pile up', detail, figure: look.owedUsd };
    }
    case 'pending_costs': {
      const { pendingCosts: figure } = look;
      const detail = `Providers have not reported the cost of ${counted(figure, 'attempt')}, more than ${limit}.`;
      return { bad: figure > limit, title: 'Providers do not report costs', detail, figure };
    }
    case 'webhook_age_seconds': {
      const figure = Math.round(look.webhookAgeSeconds);
      const detail = `The oldest delivery has been due for ${figure} s, more than ${limit} s.`;
      return { bad: figure > limit, title: 'Webhooks are late', detail, figure };
    }
    case 'doctor_failed': {
      const failed = look.doctorFailed;
      const detail = `The latest run of doctor found these checks failing: ${failed?.join('; ') ?? ''}.`;
      const figure = failed?.length ?? null;
      return { bad: figure === null ? null : figure > 0, title: 'The doctor found a problem', detail, figure };
    }
    default:
      return null;
  }
}

function engineSeen({ kind }: Watched, limit: number, engine: EngineLook): Seen {
  switch (kind) {
    case 'latency_p95_ms': {
      const { p95Ms } = engine;
      const detail = `p95 ${seconds(p95Ms ?? 0)}, above ${seconds(limit)}.`;
      return { bad: p95Ms === null ? null : p95Ms > limit, title: `${engine.name} is slow`, detail, figure: p95Ms };
    }
    case 'error_rate':
      return failures(engine, limit);
    case 'queue_age_seconds': {
      const figure = Math.round(engine.oldestAgeSeconds ?? 0);
      const detail = `The oldest has waited ${figure} s, more than ${limit} s.`;
      return { bad: figure > limit, title: `Requests wait for ${engine.name}`, detail, figure };
    }
    case 'queue_depth': {
      const { queued: figure } = engine;
      const detail = `${counted(figure, 'request')} ${figure === 1 ? 'waits' : 'wait'}, more than ${limit}.`;
      return { bad: figure > limit, title: `Many requests wait for ${engine.name}`, detail, figure };
    }
    case 'provider_auth':
      return unauthorised(engine);
    default:
      return down(engine);
  }
}

/** What is switched off refuses every call, as its operator wants it to. */
function failures({ name, enabled, requests, errors, unavailable }: EngineLook, limit: number): Seen {
  const { calls, rate, isKnown } = failureRate({ runs: requests, errors, refused: unavailable });
  const refused = unavailable > 0 ? ' or were refused' : '';
  const detail = `${percent(rate)} of ${counted(calls, 'request')} failed${refused}, more than ${percent(limit)}.`;
  const bad = enabled && isKnown ? rate > limit : null;
  return { bad, title: `Requests fail on ${name}`, detail, figure: rate };
}

/** Most failures of its last minutes make an engine down; it is up again by a call that was answered, also when none came since. */
function down({ name, enabled, obstacle, status, detail, lastError, requests, failingSince: since }: EngineLook): Seen {
  const isDown = status === 'unhealthy' || obstacle === 'unhealthy' || obstacle === 'resting';
  const isAnswered = requests > 0 && lastError === null;
  const unknown = !enabled || (status === 'unknown' && !isDown && !isAnswered);
  const words = lastError ?? detail ?? '';
  return { bad: unknown ? null : isDown, title: `${name} is down`, detail: words, figure: null, since };
}

/**
 * It has recovered when the credentials were seen to be taken: by a call or a probe that was not failed at, or by an
 * answer that knows the account. Neither a call that failed otherwise nor that calls have ceased says so.
 */
function unauthorised({ name, providerFault, isAnswered, faultMessage, detail }: EngineLook): Seen {
  const bad = providerFault === 'credentials_refused';
  const isTaken = isAnswered || providerFault === 'no_credit';
  const words = bad ? (faultMessage ?? detail ?? '') : '';
  const title = `The provider of ${name} refuses the credentials`;
  return { bad: bad || (isTaken ? false : null), title, detail: words, figure: null };
}

function seconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
