import { expect, it } from 'vitest';
import type { AlertKind } from '../../documents.generated.ts';
import { previewSentence, quietSentence, ruleSentence } from './rule-sentence.ts';

const RULE = { engineId: null, threshold: null, fireAfter: 1, recoverAfter: 1, cooldownMinutes: 0 };
const nameOf = (id: string) => id.toUpperCase();

it('says each condition in the unit that people think in', () => {
  const first = (kind: AlertKind, threshold: number | null, engineId: string | null = null) =>
    ruleSentence({ ...RULE, kind, threshold, engineId }, nameOf).split('. ')[0];
  expect(first('engine_down', null)).toBe('Tell me when any engine is down');
  expect(first('latency_p95_ms', 5000, 'reader')).toBe('Tell me when the p95 per page of READER is over 5.0 s');
  expect(first('error_rate', 0.05)).toBe(
    'Tell me when more than 5 % of what asks for any engine ends in an engine error or is refused',
  );
  expect(first('queue_age_seconds', 90)).toBe(
    'Tell me when the oldest request for any engine has waited for more than 1 min 30 s',
  );
  expect(first('provider_auth', null, 'reader')).toBe(
    'Tell me when the provider of READER refuses the gateway’s credentials',
  );
  expect(first('owed_usd', 12.5)).toBe('Tell me when accounts owe more than $12.50 in all');
  expect(first('queue_depth', 100)).toBe('Tell me when more than 100 requests wait for any engine');
  expect(first('queue_depth', 1)).toBe('Tell me when more than 1 request waits for any engine');
  expect(first('pending_costs', 20)).toBe(
    'Tell me when providers have not reported, or not credibly, the cost of more than 20 attempts',
  );
  expect(first('doctor_failed', null)).toBe('Tell me when the latest run of the doctor found a problem');
  expect(first('webhook_age_seconds', 300)).toBe('Tell me when a webhook delivery has been due for more than 5 min');
});

it('says how many checks it takes, and for how long it is silent', () => {
  expect(
    ruleSentence({ ...RULE, kind: 'engine_down', fireAfter: 3, recoverAfter: 2, cooldownMinutes: 90 }, nameOf),
  ).toBe(
    'Tell me when any engine is down for 3 checks in a row. It is over after 2 good checks in a row. Then silent for 1 h 30 min.',
  );
  expect(ruleSentence({ ...RULE, kind: 'engine_down' }, nameOf)).toBe(
    'Tell me when any engine is down. It is over after one good check.',
  );
});

it('counts what would have fired', () => {
  expect([0, 1, 3].map((fired) => previewSentence(fired, 7))).toEqual([
    'Would not have fired in 7 days.',
    'Would have fired once in 7 days.',
    'Would have fired 3 times in 7 days.',
  ]);
  expect(previewSentence(2, 1)).toBe('Would have fired 2 times in the last 24 hours.');
});

it('says when nothing is told', () => {
  expect(quietSentence(null)).toBe('No quiet hours: alerts are sent at any time.');
  expect(quietSentence({ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' })).toBe(
    'Nothing is sent from 22:00 to 07:00 (Europe/Berlin).',
  );
});
