import { expect, it } from 'vitest';
import type { AlertCheckQuery } from '../../documents.generated.ts';
import type { AlertRuleInput } from '../../shared/alerts.ts';
import { observe } from './observe.ts';

type Engine = AlertCheckQuery['engines'][number];

const READER: Engine = {
  id: 'reader',
  name: 'Reader',
  enabled: true,
  obstacle: null,
  health: { status: 'healthy', detail: null, providerFault: null },
  lastError: null,
  window: { requests: 100, errors: 10, unavailable: 0, errorRate: 0.1, p95Ms: 2400 },
};

function seen(rule: Partial<AlertRuleInput>, now: Partial<AlertCheckQuery> & { engine?: Partial<Engine> } = {}) {
  const { engine, ...rest } = now;
  const answer = {
    engines: [{ ...READER, ...engine }],
    queues: [],
    overview: { owed: 0 },
    ...rest,
  };
  const pace = { fireAfter: 1, recoverAfter: 1, cooldownMinutes: 0, enabled: true };
  return observe({ kind: 'engine_down', engineId: null, threshold: null, ...pace, ...rule }, answer);
}

it('sees that an engine is down, and where to look', () => {
  const health = { status: 'unhealthy' as const, detail: 'no answer in time', providerFault: null };
  expect(seen({}, { engine: { health } })).toEqual([
    { engineId: 'reader', bad: true, title: 'Reader is down', detail: 'no answer in time', path: '/engines/reader' },
  ]);
  expect(seen({})[0]?.bad).toBe(false);
});

it('does not judge an engine that is switched off, or that nobody has looked at', () => {
  expect(seen({}, { engine: { enabled: false, obstacle: 'disabled' } })[0]?.bad).toBeNull();
  expect(seen({}, { engine: { health: { ...READER.health, status: 'unknown' } } })[0]?.bad).toBeNull();
});

it('watches the engine of the rule only', () => {
  expect(seen({ engineId: 'other' })).toEqual([]);
});

it('compares p95 with the threshold, where there is one', () => {
  expect(seen({ kind: 'latency_p95_ms', threshold: 2000 })[0]).toMatchObject({
    bad: true,
    detail: 'p95 2.4 s, above 2.0 s.',
  });
  expect(seen({ kind: 'latency_p95_ms', threshold: 2400 })[0]?.bad).toBe(false);
  const window = { requests: 0, errors: 0, unavailable: 0, errorRate: null, p95Ms: null };
  expect(seen({ kind: 'latency_p95_ms', threshold: 1 }, { engine: { window } })[0]?.bad).toBeNull();
});

it('compares the share of failures, of enough requests', () => {
  expect(seen({ kind: 'error_rate', threshold: 0.05 })[0]?.bad).toBe(true);
  expect(seen({ kind: 'error_rate', threshold: 0.1 })[0]?.bad).toBe(false);
  const window = { requests: 9, errors: 9, unavailable: 0, errorRate: 1, p95Ms: 1 };
  expect(seen({ kind: 'error_rate', threshold: 0.05 }, { engine: { window } })[0]?.bad).toBeNull();
});

it('counts calls that an engine did not take as failures of its requests', () => {
  const window = { requests: 2, errors: 2, unavailable: 106, errorRate: 1, p95Ms: 1 };
  expect(seen({ kind: 'error_rate', threshold: 0.05 }, { engine: { window } })[0]).toMatchObject({
    bad: true,
    detail: '100 % of 108 requests failed or were refused, more than 5.0 %.',
  });
});

it('compares the age of the oldest that waits; an empty queue is a good one', () => {
  const rule = { kind: 'queue_age_seconds', threshold: 60 } as const;
  expect(seen(rule, { queues: [{ engineId: 'reader', oldestAgeSeconds: 61 }] })[0]).toMatchObject({
    bad: true,
    path: '/queue',
  });
  expect(seen(rule)[0]?.bad).toBe(false);
});

it('knows refused credentials by the gateway’s code, whatever its words are', () => {
  const lastError = 'The provider does not know our key.';
  const answered = (providerFault: Engine['health']['providerFault']) => ({
    engine: { health: { status: 'unhealthy' as const, detail: null, providerFault }, lastError },
  });
  const rule = { kind: 'provider_auth' } as const;
  expect(seen(rule, answered('credentials_refused'))[0]).toMatchObject({ bad: true, detail: lastError });
  expect(seen(rule, answered('rate_limited'))[0]?.bad).toBe(false);
  expect(seen(rule)[0]?.bad).toBe(false);
});

it('calls an engine down whose circuit is open, with its provider’s own last words', () => {
  const engine = { obstacle: 'resting' as const, lastError: 'The provider answered HTTP 500: on fire.' };
  expect(seen({}, { engine })[0]).toMatchObject({ bad: true, detail: engine.lastError });
});

it('adds up what accounts owe, for the whole gateway', () => {
  expect(seen({ kind: 'owed_usd', threshold: 5 }, { overview: { owed: 5.01 } })).toMatchObject([
    { engineId: null, bad: true, path: '/accounts' },
  ]);
});
