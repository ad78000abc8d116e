import type { AlertRule } from './alert-rule.ts';
import type { AlertChange } from './channels/notice.ts';
import type { AlertEnd } from './kinds/alert-kind.ts';
import { type Look, type Observation, observe } from './observe.ts';
import { isQuiet, type Quiet } from './quiet.ts';
import { CALM, type Standing, step } from './step.ts';

/** The standing of a rule for one engine (null: for the gateway). */
export interface KnownStanding extends Standing {
  readonly ruleId: string;
  readonly engineId: string | null;
}

/** An alert that has not ended. */
export interface OpenAlert {
  readonly id: string;
  readonly ruleId: string;
  readonly kind: AlertRule['kind'];
  readonly severity: AlertRule['severity'];
  readonly engineId: string | null;
  readonly title: string;
  readonly detail: string;
  /** The worst figure while it lasted. */
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly beganAt: Date;
  /** When it was told; null where nobody was told of it. */
  readonly toldAt: Date | null;
}

/** The state before a check. */
export interface Known {
  readonly rules: readonly AlertRule[];
  readonly quietHours: Quiet | null;
  readonly mutedUntil: Date | null;
  readonly standings: readonly KnownStanding[];
  readonly open: readonly OpenAlert[];
}

/** An alert that has ended, and why. */
interface EndedAlert {
  readonly id: string;
  readonly endedBy: AlertEnd;
}

/** The result of a check. */
export interface Evaluation {
  /** All standings from now on; others are deleted. */
  readonly standings: readonly KnownStanding[];
  readonly began: readonly OpenAlert[];
  /** Alerts that go on, whose words or figures have changed. */
  readonly changed: readonly OpenAlert[];
  readonly ended: readonly EndedAlert[];
  /** Changes to be told, in the order of the rules. */
  readonly told: readonly AlertChange[];
}

const RECOVERY: AlertEnd = 'recovery';

const LEFT: Readonly<Record<Exclude<AlertEnd, 'recovery'>, string>> = {
  rule_changed: 'It is no longer watched: its rule was changed.',
  rule_switched_off: 'It is no longer watched: its rule was switched off.',
  rule_removed: 'It is no longer watched: its rule was removed.',
  engine_removed: 'It is no longer watched: its engine is no longer in the catalogue.',
};

/** Makes one check: every rule that is switched on looks at each of its engines, and goes on from its standing. */
export function evaluate(known: Known, look: Look, { now, newId }: { now: Date; newId: () => string }): Evaluation {
  const standings = new Map(known.standings.map((each) => [keyOf(each), each]));
  const open = new Map(known.open.map((each) => [keyOf(each), each]));
  const results = known.rules
    .filter(({ enabled }) => enabled)
    .flatMap((rule) => {
      const moment = { nowMs: now.getTime(), silent: isSilent(rule, known, now) };
      return observe(rule, look).map((seen) => {
        const key = keyOf({ ruleId: rule.id, engineId: seen.engineId });
        const { next, tell } = step(standings.get(key) ?? CALM, seen.bad, rule, moment);
        // Without a standing the rule was changed and begins anew: what was open is of the rule before.
        const before = standings.has(key) ? (open.get(key) ?? null) : null;
        const alert = next.firing ? alertOf(rule, seen, { before, now, newId }) : null;
        return { rule, seen, next, tell, before, alert, key };
      });
    });
  const watched = new Set(results.flatMap(({ key, before }) => (before ? [key] : [])));
  const left = known.open.filter((each) => !watched.has(keyOf(each)));
  const leftTold = isSilent(null, known, now) ? [] : left.filter(({ toldAt }) => toldAt !== null);
  return {
    standings: results.map(({ rule, seen, next }) => ({ ...next, ruleId: rule.id, engineId: seen.engineId })),
    began: results.flatMap(({ alert, before }) => (alert && !before ? [alert] : [])),
    changed: results.flatMap(({ alert, before }) => (alert && before && differs(alert, before) ? [alert] : [])),
    ended: [
      ...results.flatMap(({ alert, before }) => (before && !alert ? [{ id: before.id, endedBy: RECOVERY }] : [])),
      ...left.map((each) => ({ id: each.id, endedBy: whyLeft(each, { ...known, look }) })),
    ],
    told: [
      ...results.flatMap(({ tell, alert, before }) => changeOf(tell, alert ?? before, now) ?? []),
      ...leftTold.flatMap((each) => leftOf(each, whyLeft(each, { ...known, look }), now)),
    ],
  };
}

interface Beginning {
  readonly before: OpenAlert | null;
  readonly now: Date;
  readonly newId: () => string;
}

/** The alert of a rule that fires. Its words stay as they were while the figures are good again, until it has ended. */
function alertOf(rule: AlertRule, seen: Observation, { before, now, newId }: Beginning): OpenAlert {
  const { title, detail, figure, engineId, since } = seen;
  const { id: ruleId, kind, severity, threshold } = rule;
  if (before && !seen.bad) return { ...before, severity };
  if (before) return { ...before, severity, title, detail, figure: worse(before.figure, figure) };
  return {
    id: newId(),
    ruleId,
    kind,
    severity,
    engineId,
    title,
    detail,
    figure,
    threshold,
    beganAt: since && since < now ? since : now,
    toldAt: null,
  };
}

interface Watched extends Pick<Known, 'rules'> {
  readonly look: Look;
}

function changeOf(state: 'firing' | 'recovered' | null, alert: OpenAlert | null, now: Date): AlertChange | null {
  if (state === null || alert === null) return null;
  const { id, kind, severity, engineId, title, detail, figure, threshold } = alert;
  const beganAt = alert.beganAt.toISOString();
  const ended =
    state === 'recovered' ? { endedAt: now.toISOString(), endedBy: RECOVERY } : { endedAt: null, endedBy: null };
  return { id, state, kind, severity, engineId, title, detail, figure, threshold, beganAt, ...ended };
}

/** The end of an alert that nobody watches any more, which is no recovery. */
function leftOf(alert: OpenAlert, endedBy: keyof typeof LEFT, now: Date): AlertChange[] {
  const change = changeOf('recovered', { ...alert, detail: LEFT[endedBy] }, now);
  return change ? [{ ...change, endedBy }] : [];
}

function whyLeft({ ruleId, engineId }: OpenAlert, { rules, look }: Watched): keyof typeof LEFT {
  const rule = rules.find(({ id }) => id === ruleId);
  if (!rule) return 'rule_removed';
  if (!rule.enabled) return 'rule_switched_off';
  const isGone = engineId !== null && !look.engines.some(({ id }) => id === engineId);
  return isGone ? 'engine_removed' : 'rule_changed';
}

/** Whether nothing is told now, for one rule; null: for all rules. */
function isSilent(rule: AlertRule | null, { quietHours, mutedUntil }: Known, now: Date): boolean {
  const muted = [rule?.mutedUntil ?? null, mutedUntil].some((until) => until !== null && until > now);
  return muted || isQuiet(quietHours, now);
}

function differs(a: OpenAlert, b: OpenAlert): boolean {
  return a.title !== b.title || a.detail !== b.detail || a.figure !== b.figure || a.severity !== b.severity;
}

function worse(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

function keyOf({ ruleId, engineId }: { ruleId: string; engineId: string | null }): string {
  return `${ruleId} ${engineId ?? ''}`;
}
