import { expect, it } from 'vitest';
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
  ...{ faultMessage: null, isAnswered: true },
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
    .filter(({ id }) => !ended.includes(id))
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
  expect(found[3]?.ended).toEqual(['alt_1']);
  expect(found.flatMap(({ told }) => told)).toMatchObject([
    { id: 'alt_1', state: 'firing', endedAt: null },
    { id: 'alt_1', state: 'recovered', figure: 15, endedAt: new Date(3 * MINUTE).toISOString() },
  ]);
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

it('ends what is no longer watched, and tells of it who was told that it began', () => {
  const open = { ...checks([look({ a: 20 }), look({ a: 20 })])[1]?.began[0], toldAt: new Date(0) } as OpenAlert; // it began there
  const off = { ...NOTHING, rules: [{ ...RULE, enabled: false }], open: [open] };
  const found = evaluate(off, look({ a: 20 }), { now: new Date(0), newId: () => 'none' });
  expect(found).toMatchObject({ standings: [], ended: [open.id], told: [{ state: 'recovered' }] });
  expect(found.told[0]?.detail).toMatch(/^It is no longer watched/);
  const untold = { ...off, open: [{ ...open, toldAt: null }] };
  expect(evaluate(untold, look({}), { now: new Date(0), newId: () => 'none' })).toMatchObject({
    told: [],
    ended: [open.id],
  });
});
