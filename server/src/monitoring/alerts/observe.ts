import type { Obstacle } from '../../engines/model/obstacle.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import { counted } from '../../platform/numbers/counted.ts';
import type { HealthStatus } from '../series/health.ts';
import type { AlertRule } from './alert-rule.ts';
import { failureRate } from './failure-rate.ts';

/** An engine at one check. */
export interface EngineLook {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly obstacle: Obstacle | null;
  readonly status: HealthStatus;
  /** The service's words for what is wrong; null where nothing is. */
  readonly detail: string | null;
  readonly providerFault: ProviderFault | null;
  /**
   * The message of its latest call, where that failed, without words of the provider, which may cite a page: alerts outlive
   * requests.
   */
  readonly lastError: string | null;
  /** The message of the call that `providerFault` belongs to, without words of the provider, too. */
  readonly faultMessage: string | null;
  /** Whether its latest call did not fail, or a probe that reads has succeeded since. */
  readonly isAnswered: boolean;
  /** When the first of the latest calls ended that have all failed; null where the engine is well, or fails otherwise. */
  readonly failingSince: Date | null;
  /**
   * Figures of the last hour: attempts, those that failed, calls that were refused because the engine took none, and its p95 per
   * page.
   */
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
  /** Checks of the latest `doctor` that did not hold; null where it never ran. */
  readonly doctorFailed: readonly string[] | null;
}

/** The result of one check for one engine, or for the gateway. */
export interface Observation {
  readonly engineId: string | null;
  /** Whether it is bad; null where there is nothing to judge by, which neither fires nor recovers. */
  readonly bad: boolean | null;
  readonly title: string;
  readonly detail: string;
  /** The figure that was compared with the threshold; null for kinds without one. */
  readonly figure: number | null;
  /** When it became bad, where that is known. */
  readonly since?: Date | null;
}

type Seen = Omit<Observation, 'engineId'>;
type Watched = Pick<AlertRule, 'kind' | 'engineId' | 'threshold'>;

/** The observations of a rule: one for each engine that it watches, or one of the whole gateway. */
export function observe(rule: Watched, look: Look): readonly Observation[] {
  const limit = rule.threshold ?? 0;
  const ofGateway = gatewaySeen(rule, limit, look);
  if (ofGateway) return [{ engineId: null, ...ofGateway }];
  const engines = look.engines.filter(({ id }) => rule.engineId === null || id === rule.engineId);
  return engines.map((engine) => ({ engineId: engine.id, ...engineSeen(rule, limit, engine) }));
}

/** The observation of the gateway; null for kinds that watch engines. */
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

/**
 * The observation of `error_rate`; not known for an engine that is switched off, because it refuses every call as its operator
 * wants.
 */
function failures({ name, enabled, requests, errors, unavailable }: EngineLook, limit: number): Seen {
  const { calls, rate, isKnown } = failureRate({ runs: requests, errors, refused: unavailable });
  const refused = unavailable > 0 ? ' or were refused' : '';
  const detail = `${percent(rate)} of ${counted(calls, 'request')} failed${refused}, more than ${percent(limit)}.`;
  const bad = enabled && isKnown ? rate > limit : null;
  return { bad, title: `Requests fail on ${name}`, detail, figure: rate };
}

/**
 * The observation of `engine_down`. An engine is down by most calls of its last minutes, and up again by a call that was
 * answered, also when none came since.
 */
function down({ name, enabled, obstacle, status, detail, lastError, requests, failingSince: since }: EngineLook): Seen {
  const isDown = status === 'unhealthy' || obstacle === 'unhealthy' || obstacle === 'resting';
  const isAnswered = requests > 0 && lastError === null;
  const unknown = !enabled || (status === 'unknown' && !isDown && !isAnswered);
  const words = lastError ?? detail ?? '';
  return { bad: unknown ? null : isDown, title: `${name} is down`, detail: words, figure: null, since };
}

/**
 * The observation of `provider_auth`. It has recovered when the credentials were accepted: by a call or a probe that did not
 * fail, or by an answer that knows the account. A call that failed otherwise, and an end of calls, say nothing.
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
