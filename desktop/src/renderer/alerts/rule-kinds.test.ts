import { expect, it } from 'vitest';
import { NEW_RULE, RULE_KINDS, withKind } from './rule-kinds.ts';

it('gives a rule of another kind the threshold that is usual there, or none', () => {
  expect(withKind(NEW_RULE, 'latency_p95_ms').threshold).toBe(10_000);
  expect(withKind(NEW_RULE, 'error_rate').threshold).toBe(0.05);
  expect(withKind(withKind(NEW_RULE, 'owed_usd'), 'engine_down').threshold).toBeNull();
});

it('takes the engine away where the whole gateway is watched, and keeps it elsewhere', () => {
  const rule = { ...NEW_RULE, engineId: 'reader' };
  for (const { kind, ofEngines } of RULE_KINDS) {
    expect(withKind(rule, kind).engineId, kind).toBe(ofEngines ? 'reader' : null);
  }
});
