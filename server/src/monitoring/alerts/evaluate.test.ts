import { describe, expect, it } from 'vitest';
import type { AlertRule } from './alert-rule.ts';
import { type Evaluation, evaluate, type Known, type OpenAlert } from './evaluate.ts';
import type { EngineLook, Look } from './observe.ts';

const RULE: AlertRule = {
  id: 'alr_1',
  kind: 'queue_depth',
  engineId: null,
  threshold: 10,
  severity: 'critical',
  fireAfter: 2,
  recoverAfter: 1,
  cooldownMinutes: 0,
  enabled: true,
  mutedUntil: null,
};
const NOTHING: Known = { rules: [RULE], quietHours: null, mutedUntil: null, standings: [], open: [] };
const MINUTE = 60_000;

const ENGINE: Omit<EngineLook, 'id' | 'name' | 'queued'> = {
  ...{ enabled: true, obstacle: null, status: 'healthy', detail: null, providerFault: null, lastError: null },
  ...{ faultMessage: null, isAnswered: true, failingSince: null },
  ...{ requests: 0, errors: 0, unavailable: 0, p95Ms: null, oldestAgeSeconds: null },
};

function look(queued: Readonly<Record<string, number>>): Look {
  const engines = Object.entries(queued).map(([id, waiting]) => ({ ...ENGINE, id, name: id, queued: waiting }));
  return { engines, owedUsd: 0, pendingCosts: 0, webhookAgeSeconds: 0, doctorFailed: null };
}

/** Checks a minute apart, each going on from what the one before it has found, as the database keeps it. */
function checks(looks: readonly Look[], known: Known = NOTHING): Evaluation[] {
  let before = known;
  let ids = 0;
  return looks.map((each, minute) => {
    const now = new Date(minute * MINUTE);
    const found = evaluate(before, each, { now, newId: () => `alt_${++ids}` });
    before = { ...before, standings: found.standings, open: stored(before.open, found, now) };
    return found;
  });
}

function stored(open: readonly OpenAlert[], { began, changed, ended, told }: Evaluation, now: Date): OpenAlert[] {
  const toldIds = told.map(({ id }) => id);
  return [...open.map((each) => changed.find(({ id }) => id === each.id) ?? each), ...began]
    .filter(({ id }) => !ended.some((each) => each.id === id))
    .map((each) => (toldIds.includes(each.id) ? { ...each, toldAt: now } : each));
}

it('opens an alert an engine, once, with what it saw; and ends it', () => {
  const found = checks([look({ a: 11, b: 1 }), look({ a: 12, b: 1 }), look({ a: 15, b: 1 }), look({ a: 3, b: 1 })]);
  expect(found.map(({ began }) => began.map(({ id }) => id))).toEqual([[], ['alt_1'], [], []]);
  expect(found[1]?.began[0]).toMatchObject({
    engineId: 'a',
    title: 'Many requests wait for a',
    figure: 12,
    threshold: 10,
    beganAt: new Date(MINUTE),
  });
  expect(found[2]?.changed).toMatchObject([{ id: 'alt_1', figure: 15, detail: '15 requests wait, more than 10.' }]);
  expect(found[3]?.ended).toEqual([{ id: 'alt_1', endedBy: 'recovery' }]);
  expect(found.flatMap(({ told }) => told)).toMatchObject([
    { id: 'alt_1', state: 'firing', endedAt: null },
    { id: 'alt_1', state: 'recovered', figure: 15, endedAt: new Date(3 * MINUTE).toISOString() },
  ]);
});

it('begins when the engine began to fail, where that is known, and not when its rule fired', () => {
  const rule = { ...RULE, kind: 'engine_down' as const, threshold: null };
  const failing = (failingSince: Date | null) => ({
    ...look({}),
    engines: [{ ...ENGINE, id: 'a', name: 'a', queued: 0, status: 'unhealthy' as const, failingSince }],
  });
  const beganAt = (since: Date | null) => {
    const [, fired] = checks([failing(since), failing(since)], { ...NOTHING, rules: [rule] });
    expect(fired?.told[0]?.beganAt).toBe(fired?.began[0]?.beganAt.toISOString());
    return fired?.began[0]?.beganAt;
  };
  expect(beganAt(new Date(-5 * MINUTE))).toEqual(new Date(-5 * MINUTE));
  expect(beganAt(new Date(9 * MINUTE))).toEqual(new Date(MINUTE));
  expect(beganAt(null)).toEqual(new Date(MINUTE));
});

it('keeps the worst figure, and the words of the last bad check', () => {
  const rule = { ...RULE, recoverAfter: 3 };
  const found = checks([look({ a: 20 }), look({ a: 20 }), look({ a: 11 }), look({ a: 1 })], {
    ...NOTHING,
    rules: [rule],
  });
  expect(found[2]?.changed).toMatchObject([{ figure: 20, detail: '11 requests wait, more than 10.' }]);
  expect(found[3]).toMatchObject({ changed: [], ended: [] });
});

it('writes history while it is muted, and tells afterwards what still fires', () => {
  const rule = { ...RULE, mutedUntil: new Date(2.5 * MINUTE) };
  const found = checks([look({ a: 20 }), look({ a: 20 }), look({ a: 20 }), look({ a: 20 })], {
    ...NOTHING,
    rules: [rule],
  });
  expect(found.map(({ began, told }) => [began.length, told.length])).toEqual([
    [0, 0],
    [1, 0],
    [0, 0],
    [0, 1],
  ]);
});

it('is as severe as its rule says, and says so anew when the rule is changed', () => {
  const [, fired] = checks([look({ a: 20 }), look({ a: 20 })], { ...NOTHING, rules: [{ ...RULE, severity: 'info' }] });
  expect(fired).toMatchObject({ began: [{ severity: 'info' }], told: [{ severity: 'info' }] });
  const open = fired?.began[0] as OpenAlert; // it began there
  const known = { ...NOTHING, standings: fired?.standings ?? [], open: [open] };
  const later = evaluate(known, look({ a: 20 }), { now: new Date(0), newId: () => 'none' });
  expect(later).toMatchObject({ began: [], changed: [{ id: open.id, severity: 'critical' }], told: [] });
});

describe('an alert that is no longer watched', () => {
  const told = () => {
    const [, fired] = checks([look({ a: 20 }), look({ a: 20 })]);
    const open = { ...fired?.began[0], toldAt: new Date(0) } as OpenAlert; // it began there
    return { ...NOTHING, standings: fired?.standings ?? [], open: [open] };
  };
  const check = (known: Known, waiting: Readonly<Record<string, number>> = { a: 20 }) =>
    evaluate(known, look(waiting), { now: new Date(0), newId: () => 'alt_anew' });

  it.each([
    ['rule_switched_off', { rules: [{ ...RULE, enabled: false }] }, /switched off/],
    ['rule_removed', { rules: [] }, /removed/],
    ['rule_changed', { rules: [{ ...RULE, engineId: 'b' }] }, /changed/],
    ['rule_changed', { standings: [] }, /changed/],
  ] as const)('ends by %s, and tells so who was told that it began', (endedBy, change, words) => {
    const known = told();
    const found = check({ ...known, ...change });
    const ended = [{ id: known.open[0]?.id, endedBy }];
    expect(found.ended).toEqual(ended);
    expect(found.told).toMatchObject([{ state: 'recovered', endedBy, detail: expect.stringMatching(words) }]);
    const untold = known.open.map((each) => ({ ...each, toldAt: null }));
    expect(check({ ...known, ...change, open: untold })).toMatchObject({ told: [], ended });
  });

  it('ends when its engine is gone', () => {
    expect(check(told(), { b: 1 }).told).toMatchObject([{ endedBy: 'engine_removed', detail: expect.any(String) }]);
  });

  it('makes room for the one that the changed rule finds at once', () => {
    const found = check({ ...told(), rules: [{ ...RULE, threshold: 5, fireAfter: 1 }], standings: [] });
    expect(found).toMatchObject({
      ended: [{ id: 'alt_1', endedBy: 'rule_changed' }],
      began: [{ id: 'alt_anew', threshold: 5 }],
    });
    expect(found.told).toMatchObject([{ state: 'firing' }, { endedBy: 'rule_changed' }]);
  });

  it('is told apart from one that has recovered', () => {
    expect(check({ ...told(), rules: [RULE] }, { a: 1 }).told).toMatchObject([{ endedBy: 'recovery' }]);
  });
});
