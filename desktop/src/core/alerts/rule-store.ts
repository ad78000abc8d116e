import { randomUUID } from 'node:crypto';
import type { AlertRule, AlertRuleInput, QuietHours } from '../../shared/alerts.ts';
import { JsonFile } from '../json-file.ts';
import { Refused } from '../refused.ts';
import { QUIET_HOURS, RULE } from './rule-input.ts';

const MOST_RULES = 200;

/** What an operator would want to hear of without having asked; each can be changed or removed. */
const FIRST_RULES: readonly AlertRuleInput[] = [
  { kind: 'engine_down', engineId: null, threshold: null },
  { kind: 'error_rate', engineId: null, threshold: 0.2 },
  { kind: 'queue_age_seconds', engineId: null, threshold: 120 },
  { kind: 'provider_auth', engineId: null, threshold: null },
].map((rule) => ({
  ...(rule as Pick<AlertRuleInput, 'kind' | 'engineId' | 'threshold'>), // literals of the lines above
  fireAfter: 3,
  recoverAfter: 5,
  cooldownMinutes: 30,
  enabled: true,
}));

/** The alerts of one gateway. */
export interface Rules {
  readonly rules: readonly AlertRule[];
  readonly quietHours: QuietHours | null;
  readonly mutedUntil: string | null;
}

/** The rules of each profile, in one file. */
export class RuleStore {
  readonly #file: JsonFile;
  readonly #byProfile = new Map<string, Rules>();

  private constructor(file: JsonFile) {
    this.#file = file;
  }

  static async open(path: string): Promise<RuleStore> {
    const store = new RuleStore(new JsonFile(path));
    for (const [profileId, content] of Object.entries((await store.#file.read()) ?? {})) {
      store.#byProfile.set(profileId, kept(content));
    }
    return store;
  }

  of(profileId: string): Rules {
    const known = this.#byProfile.get(profileId) ?? {
      rules: FIRST_RULES.map(fresh),
      quietHours: null,
      mutedUntil: null,
    };
    this.#byProfile.set(profileId, known);
    return known;
  }

  async save(profileId: string, input: AlertRuleInput): Promise<AlertRule> {
    const { rules } = this.of(profileId);
    const before = rules.find(({ id }) => id === input.id);
    if (input.id !== undefined && !before) throw new Refused('This rule is not there any more.');
    if (!before && rules.length >= MOST_RULES) throw new Refused(`There are ${MOST_RULES} rules.`);
    const rule: AlertRule = before ? { ...before, ...input, id: before.id } : fresh(input);
    await this.#change(profileId, {
      rules: before ? rules.map((each) => (each.id === rule.id ? rule : each)) : [...rules, rule],
    });
    return rule;
  }

  async remove(profileId: string, id: string): Promise<void> {
    await this.#change(profileId, { rules: this.of(profileId).rules.filter((rule) => rule.id !== id) });
  }

  /** `id` null: all of them at once. */
  async mute(profileId: string, id: string | null, until: string | null): Promise<void> {
    if (id === null) return this.#change(profileId, { mutedUntil: until });
    const { rules } = this.of(profileId);
    if (!rules.some((rule) => rule.id === id)) throw new Refused('This rule is not there any more.');
    await this.#change(profileId, {
      rules: rules.map((rule) => (rule.id === id ? { ...rule, mutedUntil: until } : rule)),
    });
  }

  async keepQuiet(profileId: string, quietHours: QuietHours | null): Promise<void> {
    await this.#change(profileId, { quietHours });
  }

  /** With its profile go its rules. */
  async forget(profileId: string): Promise<void> {
    if (this.#byProfile.delete(profileId)) await this.#write();
  }

  async #change(profileId: string, change: Partial<Rules>): Promise<void> {
    this.#byProfile.set(profileId, { ...this.of(profileId), ...change });
    await this.#write();
  }

  async #write(): Promise<void> {
    await this.#file.write(Object.fromEntries(this.#byProfile));
  }
}

function fresh(input: AlertRuleInput): AlertRule {
  return { ...input, id: randomUUID(), mutedUntil: null };
}

/** What was changed by hand into something else is left out. */
function kept(content: unknown): Rules {
  const { rules, quietHours, mutedUntil } = (content ?? {}) as Partial<Record<keyof Rules, unknown>>; // looked at below
  return {
    rules: (Array.isArray(rules) ? rules : []).flatMap((entry) => keptRule(entry) ?? []),
    quietHours: QUIET_HOURS.safeParse(quietHours).data ?? null,
    mutedUntil: typeof mutedUntil === 'string' ? mutedUntil : null,
  };
}

function keptRule(entry: unknown): AlertRule | null {
  const { data: rule } = RULE.safeParse(entry);
  if (rule?.id === undefined) return null;
  const { mutedUntil } = entry as { mutedUntil?: unknown }; // an object, or it had not been parsed
  return { ...rule, id: rule.id, mutedUntil: typeof mutedUntil === 'string' ? mutedUntil : null };
}
