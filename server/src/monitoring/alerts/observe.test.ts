import { expect, it } from 'vitest';
import type { AlertRule } from './alert-rule.ts';
import { type EngineLook, type Look, observe } from './observe.ts';

const READER: EngineLook = {
  id: 'reader',
  name: 'Reader',
  enabled: true,
  obstacle: null,
  status: 'healthy',
  detail: null,
  providerFault: null,
  lastError: null,
  faultMessage: null,
  isAnswered: true,
  failingSince: null,
  requests: 100,
  errors: 10,
  unavailable: 0,
  p95Ms: 2400,
  queued: 0,
  oldestAgeSeconds: null,
};

function seen(rule: Partial<AlertRule>, { engine, ...rest }: Partial<Look> & { engine?: Partial<EngineLook> } = {}) {
  const look: Look = {
    engines: [{ ...READER, ...engine }],
    owedUsd: 0,
    pendingCosts: 0,
    webhookAgeSeconds: 0,
    doctorFailed: null,
    ...rest,
  };
  return observe({ kind: 'engine_down', engineId: null, threshold: null, ...rule }, look);
}

it('sees that an engine is down', () => {
  expect(seen({}, { engine: { status: 'unhealthy', detail: 'no answer in time' } })).toEqual([
    { engineId: 'reader', bad: true, title: 'Reader is down', detail: 'no answer in time', figure: null, since: null },
  ]);
  const failingSince = new Date(0);
  expect(seen({}, { engine: { status: 'unhealthy', failingSince } })[0]).toMatchObject({ since: failingSince });
  expect(seen({})[0]?.bad).toBe(false);
});

it('does not judge an engine that is switched off, or that nobody has looked at', () => {
  expect(seen({}, { engine: { enabled: false, obstacle: 'disabled' } })[0]?.bad).toBeNull();
  expect(seen({}, { engine: { status: 'unknown', requests: 0 } })[0]?.bad).toBeNull();
  const refused = { enabled: false, obstacle: 'disabled', unavailable: 90 } as const;
  expect(seen({ kind: 'error_rate', threshold: 0.05 }, { engine: refused })[0]?.bad).toBeNull();
});

it('takes an engine whose latest call was answered for one that is up, though no call came since', () => {
  expect(seen({}, { engine: { status: 'unknown', requests: 18, errors: 12 } })[0]?.bad).toBe(false);
  const failed = {
    status: 'unknown',
    requests: 18,
    errors: 12,
    lastError: 'The engine could not be reached.',
  } as const;
  expect(seen({}, { engine: failed })[0]?.bad).toBeNull();
});

it('watches the engine of the rule only', () => {
  expect(seen({ engineId: 'other' })).toEqual([]);
});

it('compares p95 with the threshold, where there is one', () => {
  expect(seen({ kind: 'latency_p95_ms', threshold: 2000 })[0]).toMatchObject({
    bad: true,
    detail: 'p95 2.4 s, above 2.0 s.',
    figure: 2400,
  });
  expect(seen({ kind: 'latency_p95_ms', threshold: 2400 })[0]?.bad).toBe(false);
  expect(seen({ kind: 'latency_p95_ms', threshold: 1 }, { engine: { p95Ms: null } })[0]?.bad).toBeNull();
});

it('compares the share of failures, of enough requests', () => {
  expect(seen({ kind: 'error_rate', threshold: 0.05 })[0]?.bad).toBe(true);
  expect(seen({ kind: 'error_rate', threshold: 0.1 })[0]?.bad).toBe(false);
  const few = { requests: 9, errors: 9 };
  expect(seen({ kind: 'error_rate', threshold: 0.05 }, { engine: few })[0]?.bad).toBeNull();
});

it('counts calls that an engine did not take as failures of its requests', () => {
  const engine = { requests: 2, errors: 2, unavailable: 106 };
  expect(seen({ kind: 'error_rate', threshold: 0.05 }, { engine })[0]).toMatchObject({
    bad: true,
    detail: '100 % of 108 requests failed or were refused, more than 5.0 %.',
    figure: 1,
  });
});

it('compares the queue of an engine; an empty one is a good one', () => {
  const age = { kind: 'queue_age_seconds', threshold: 60 } as const;
  const depth = { kind: 'queue_depth', threshold: 10 } as const;
  const engine = { queued: 11, oldestAgeSeconds: 61 };
  expect(seen(age, { engine })[0]).toMatchObject({ bad: true, figure: 61 });
  expect(seen(depth, { engine })[0]).toMatchObject({
    bad: true,
    detail: '11 requests wait, more than 10.',
    figure: 11,
  });
  const one = seen({ ...depth, threshold: 0 }, { engine: { queued: 1 } })[0];
  expect(one).toMatchObject({ detail: '1 request waits, more than 0.' });
  expect([seen(age)[0]?.bad, seen(depth)[0]?.bad]).toEqual([false, false]);
});

it('knows refused credentials by the gateway’s code, whatever its words are', () => {
  const lastError = 'The provider does not know our key.';
  const answered = (providerFault: EngineLook['providerFault']) => ({
    engine: { status: 'unhealthy' as const, providerFault, lastError, faultMessage: lastError },
  });
  const rule = { kind: 'provider_auth' } as const;
  expect(seen(rule, answered('credentials_refused'))[0]).toMatchObject({ bad: true, detail: lastError });
  expect(seen(rule, answered('no_credit'))[0]?.bad).toBe(false);
  expect(seen(rule)[0]?.bad).toBe(false);
});

it('takes no failure for a sign that the credentials are good again', () => {
  const rule = { kind: 'provider_auth' } as const;
  const failed = { status: 'unhealthy', isAnswered: false } as const;
  expect(seen(rule, { engine: failed })[0]?.bad).toBeNull();
  expect(seen(rule, { engine: { ...failed, providerFault: 'rate_limited' } })[0]?.bad).toBeNull();
  const after = { ...failed, providerFault: 'credentials_refused', faultMessage: 'No such key.' } as const;
  expect(seen(rule, { engine: after })[0]).toMatchObject({ bad: true, detail: 'No such key.' });
});

it('calls an engine down whose circuit is open, and says how its latest call failed', () => {
  const engine = { obstacle: 'resting' as const, lastError: 'The engine answered with HTTP 500: …' };
  expect(seen({}, { engine })[0]).toMatchObject({ bad: true, detail: engine.lastError });
});

it('watches the gateway as a whole: what is owed, costs that are not told, webhooks that are late', () => {
  expect(seen({ kind: 'owed_usd', threshold: 5 }, { owedUsd: 5.01 })).toMatchObject([{ engineId: null, bad: true }]);
  expect(seen({ kind: 'pending_costs', threshold: 3 }, { pendingCosts: 4 })).toMatchObject([
    { engineId: null, bad: true, figure: 4 },
  ]);
  expect(seen({ kind: 'webhook_age_seconds', threshold: 60 }, { webhookAgeSeconds: 60 })[0]?.bad).toBe(false);
  expect(seen({ kind: 'webhook_age_seconds', threshold: 60 }, { webhookAgeSeconds: 61 })).toMatchObject([
    { engineId: null, bad: true, detail: 'The oldest delivery has been due for 61 s, more than 60 s.' },
  ]);
});

it('knows what the doctor found, if it ever looked', () => {
  const rule = { kind: 'doctor_failed' } as const;
  expect(seen(rule)[0]?.bad).toBeNull();
  expect(seen(rule, { doctorFailed: [] })[0]?.bad).toBe(false);
  expect(seen(rule, { doctorFailed: ['wallets equal their ledger', 'secrets can be opened'] })[0]).toMatchObject({
    bad: true,
    detail: 'The latest run of doctor found these checks failing: wallets equal their ledger; secrets can be opened.',
    figure: 2,
  });
});
