import { print } from 'graphql';
import { AlertCheckDocument, type AlertCheckQuery } from '../../documents.generated.ts';
import type {
  AlertNotice,
  AlertOverview,
  AlertPreview,
  AlertRule,
  AlertRuleInput,
  QuietHours,
} from '../../shared/alerts.ts';
import type { GatewayLink } from '../gateway/gateway-link.ts';
import { Refused } from '../refused.ts';
import { AlertWatch } from './alert-watch.ts';
import { preview } from './history.ts';
import { Notices } from './notices.ts';
import type { RuleStore } from './rule-store.ts';

const CHECK_EVERY_MS = 30_000;
const CHECK = print(AlertCheckDocument);

interface MonitorTools {
  readonly link: GatewayLink;
  readonly rules: RuleStore;
  readonly now: () => number;
  readonly tell: (notice: AlertNotice) => void;
  readonly checkEveryMs?: number;
}

/** Looks at the gateway that is shown every half minute, and tells what the rules make of it. */
export class AlertMonitor implements Disposable {
  readonly #tools: MonitorTools;
  readonly #checkEveryMs: number;
  readonly #timer: NodeJS.Timeout;
  #profileId: string | null = null;
  #watch: AlertWatch | null = null;
  #notices: Notices;

  constructor(tools: MonitorTools) {
    this.#tools = tools;
    this.#checkEveryMs = tools.checkEveryMs ?? CHECK_EVERY_MS;
    this.#notices = new Notices(tools.tell);
    this.#timer = setInterval(() => void this.check(), this.#checkEveryMs);
  }

  /** Another gateway begins with no memory of the one before. */
  watch(profileId: string | null): void {
    if (profileId === this.#profileId) return;
    this.#notices[Symbol.dispose]();
    const notices = new Notices(this.#tools.tell);
    this.#notices = notices;
    this.#profileId = profileId;
    const { rules, now } = this.#tools;
    this.#watch =
      profileId === null ? null : new AlertWatch(profileId, { rules, now, tell: (alerts) => notices.add(alerts) });
  }

  /** Without a connection nothing is known, and nothing is judged. */
  async check(): Promise<void> {
    const watch = this.#watch;
    const { link } = this.#tools;
    if (!watch || link.state.state !== 'live') return;
    const { data, errors } = await link
      .execute({ query: CHECK, variables: {} })
      .catch(() => ({ data: undefined, errors: undefined })); // the connection's state tells it
    if (errors || !data || watch !== this.#watch) return;
    watch.check(data as AlertCheckQuery); // the generated type of this very document
  }

  list(): AlertOverview {
    return this.#chosen().watch.overview(this.#checkEveryMs / 1000);
  }

  save(input: AlertRuleInput): Promise<AlertRule> {
    return this.#tools.rules.save(this.#chosen().profileId, input);
  }

  remove(id: string): Promise<void> {
    return this.#tools.rules.remove(this.#chosen().profileId, id);
  }

  async mute(id: string | null, minutes: number): Promise<AlertOverview> {
    const until = minutes === 0 ? null : new Date(this.#tools.now() + minutes * 60_000).toISOString();
    await this.#tools.rules.mute(this.#chosen().profileId, id, until);
    return this.list();
  }

  async keepQuiet(hours: QuietHours | null): Promise<AlertOverview> {
    await this.#tools.rules.keepQuiet(this.#chosen().profileId, hours);
    return this.list();
  }

  preview(rule: AlertRuleInput): Promise<AlertPreview> {
    const { link, now } = this.#tools;
    const execute = link.execute.bind(link);
    return preview(rule, { execute, nowMs: now(), checkEveryMs: this.#checkEveryMs });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#notices[Symbol.dispose]();
  }

  #chosen(): { profileId: string; watch: AlertWatch } {
    if (this.#profileId === null || !this.#watch) throw new Refused('No gateway is chosen.');
    return { profileId: this.#profileId, watch: this.#watch };
  }
}
