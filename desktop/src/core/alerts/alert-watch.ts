import type { AlertCheckQuery } from '../../documents.generated.ts';
import type { Alert, AlertOverview, AlertRule } from '../../shared/alerts.ts';
import { type Observation, observe } from './observe.ts';
import { isQuiet } from './quiet.ts';
import type { RuleStore, Rules } from './rule-store.ts';
import { CALM, type Standing, step } from './step.ts';

export interface WatchTools {
  readonly rules: RuleStore;
  readonly now: () => number;
  readonly tell: (alerts: readonly Alert[]) => void;
}

interface Watched {
  readonly standing: Standing;
  readonly alert: Alert;
}

/** The rules of one gateway and how they stand, from the first check of this start of the program on. */
export class AlertWatch {
  readonly #profileId: string;
  readonly #tools: WatchTools;
  #watched = new Map<string, Watched>();
  #lastCheckAt: string | null = null;

  constructor(profileId: string, tools: WatchTools) {
    this.#profileId = profileId;
    this.#tools = tools;
  }

  /** One look at the gateway, judged by every rule. */
  check(now: AlertCheckQuery): void {
    const nowMs = this.#tools.now();
    const own = this.#tools.rules.of(this.#profileId);
    this.#lastCheckAt = new Date(nowMs).toISOString();
    const before = this.#watched;
    this.#watched = new Map();
    const told = own.rules
      .filter(({ enabled }) => enabled)
      .flatMap((rule) => {
        const moment = { nowMs, silent: isSilent(rule, own, nowMs) };
        return observe(rule, now).flatMap((seen) => this.#judge(before, { rule, seen, moment }) ?? []);
      });
    if (told.length > 0) this.#tools.tell(told);
  }

  overview(checkEverySeconds: number): AlertOverview {
    const { rules, quietHours, mutedUntil } = this.#tools.rules.of(this.#profileId);
    const firing = [...this.#watched.values()]
      .filter(({ standing, alert }) => standing.firing && rules.some(({ id }) => id === alert.ruleId))
      .map(({ alert }) => alert);
    return { rules, quietHours, mutedUntil, firing, checkEverySeconds, lastCheckAt: this.#lastCheckAt };
  }

  #judge(
    before: ReadonlyMap<string, Watched>,
    { rule, seen, moment }: { rule: AlertRule; seen: Observation; moment: { nowMs: number; silent: boolean } },
  ): Alert | null {
    const key = `${rule.id} ${seen.engineId ?? ''}`;
    const known = before.get(key);
    const { next, tell } = step(known?.standing ?? CALM, seen.bad, rule, moment);
    const beganNow = next.firing && !known?.standing.firing;
    const at = beganNow || !known ? new Date(moment.nowMs).toISOString() : known.alert.at;
    // What it was about stays readable after the figures are well again.
    const detail = seen.bad || !known ? seen.detail : known.alert.detail;
    const { engineId, title, path } = seen;
    const alert: Alert = { ruleId: rule.id, kind: rule.kind, state: 'firing', engineId, title, detail, at, path };
    this.#watched.set(key, { standing: next, alert });
    if (tell === null) return null;
    return tell === 'firing' ? alert : { ...alert, state: 'recovered', at: new Date(moment.nowMs).toISOString() };
  }
}

function isSilent(rule: AlertRule, { quietHours, mutedUntil }: Rules, nowMs: number): boolean {
  const muted = [rule.mutedUntil, mutedUntil].some((until) => until !== null && Date.parse(until) > nowMs);
  return muted || isQuiet(quietHours, new Date(nowMs));
}
