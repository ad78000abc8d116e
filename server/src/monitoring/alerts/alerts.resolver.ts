import { Arg, Ctx, ID, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import { type Context, requireFeed } from '../../accounts/callers/context.ts';
import { AppError } from '../../platform/errors.ts';
import { within } from '../../platform/numbers/require-range.ts';
import { Alert, AlertOverview, AlertPreview, Incident } from './alert.ts';
import type { AlertHistory } from './alert-history.ts';
import { AlertRule, AlertRuleInput } from './alert-rule.ts';
import { type LookBackDeps, lookBack } from './look-back.ts';
import { quietHours } from './quiet.ts';
import { writtenRule } from './rule-input.ts';
import type { RuleStore } from './rule-store.ts';

const MOST_SHOWN = 200;
const LONGEST_MUTE_MINUTES = 43_200;
const LONGEST_NOTE = 1000;

export interface AlertsResolverDeps {
  readonly rules: RuleStore;
  readonly history: AlertHistory;
  readonly lookBack: LookBackDeps;
  readonly overview: () => Promise<AlertOverview>;
  readonly incidents: () => Promise<Incident[]>;
}

/** Alert rules and what they found, for operators. */
@Resolver()
export class AlertsResolver {
  constructor(private readonly deps: AlertsResolverDeps) {}

  @Query(() => AlertOverview, { description: 'The alert rules, and how they stand; operators only.' })
  alertOverview(@Ctx() { caller }: Context): Promise<AlertOverview> {
    requireScope(caller, 'operator');
    return this.deps.overview();
  }

  @Query(() => [Alert], { description: 'Alerts of the last 90 days, newest first; operators only.' })
  alerts(
    @Arg('limit', () => Int, { defaultValue: 100, description: 'Alerts on one page, 1 to 200.' }) limit: number,
    @Arg('before', () => ID, { nullable: true, description: 'Id of the last alert of the page before.' })
    before: string | null | undefined,
    @Arg('engine', () => ID, { nullable: true, description: 'Of one engine; all when absent.' })
    engine: string | null | undefined,
    @Arg('from', () => Date, { nullable: true, description: 'Those that had not ended before this time.' })
    from: Date | null | undefined,
    @Arg('to', () => Date, { nullable: true, description: 'Those that had begun before this time.' })
    to: Date | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Alert[]> {
    requireScope(caller, 'operator');
    const size = within('limit', limit, MOST_SHOWN);
    const [engineId, since, until] = [engine ?? null, from ?? null, to ?? null];
    return this.deps.history.page({ size, before: before ?? null, engineId, from: since, to: until });
  }

  @Query(() => AlertPreview, {
    description: 'What a rule would have told in the last seven days; operators only.',
  })
  alertPreview(
    @Arg('rule', () => AlertRuleInput, { description: 'The rule, as it would be written.' }) rule: AlertRuleInput,
    @Ctx() { caller }: Context,
  ): Promise<AlertPreview> {
    requireScope(caller, 'operator');
    return lookBack(writtenRule(rule), this.deps.lookBack, new Date());
  }

  @Query(() => [Incident], {
    description: 'When engines were down, failing or slow in the last 90 days, newest first; at most 100.',
  })
  incidents(): Promise<Incident[]> {
    return this.deps.incidents();
  }

  @Subscription(() => AlertOverview, {
    description: 'The alert rules and how they stand: now, and at every change. Operators only.',
    subscribe: ({ context }: { context: Context }) => watchAlerts(context),
  })
  alertsChanged(@Root() overview: AlertOverview): AlertOverview {
    return overview;
  }

  @Mutation(() => AlertRule, { description: 'Adds an alert rule, of which there are 100 at most; operators only.' })
  createAlertRule(
    @Arg('rule', () => AlertRuleInput, { description: 'The rule.' }) rule: AlertRuleInput,
    @Ctx() { caller }: Context,
  ): Promise<AlertRule> {
    requireScope(caller, 'operator');
    return this.deps.rules.create(writtenRule(rule));
  }

  @Mutation(() => AlertRule, {
    description: 'Replaces an alert rule; one that watches something else begins anew. Operators only.',
  })
  updateAlertRule(
    @Arg('id', () => ID, { description: 'Rule id.' }) id: string,
    @Arg('rule', () => AlertRuleInput, { description: 'The rule, whole.' }) rule: AlertRuleInput,
    @Ctx() { caller }: Context,
  ): Promise<AlertRule> {
    requireScope(caller, 'operator');
    return this.deps.rules.update(id, writtenRule(rule));
  }

  @Mutation(() => ID, { description: 'Removes an alert rule; what it found stays. Operators only.' })
  async deleteAlertRule(
    @Arg('id', () => ID, { description: 'Rule id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    requireScope(caller, 'operator');
    await this.deps.rules.remove(id);
    return id;
  }

  @Mutation(() => AlertOverview, {
    description: 'Silences one rule, or all of them, for a while; what still fires is told afterwards. Operators only.',
  })
  async muteAlerts(
    @Arg('ruleId', () => ID, { nullable: true, description: 'Rule id; all rules when absent.' })
    ruleId: string | null | undefined,
    @Arg('minutes', () => Int, { description: 'For so long, up to 43200; 0: no longer.' }) minutes: number,
    @Ctx() { caller }: Context,
  ): Promise<AlertOverview> {
    requireScope(caller, 'operator');
    await this.deps.rules.mute(ruleId ?? null, minutes === 0 ? 0 : within('minutes', minutes, LONGEST_MUTE_MINUTES));
    return this.deps.overview();
  }

  @Mutation(() => AlertOverview, {
    description: 'Sets the hours in which nothing is told; without `from` and `to` there are none. Operators only.',
  })
  async setAlertQuietHours(
    @Arg('from', () => String, { nullable: true, description: 'Time of day, HH:MM.' }) from: string | null | undefined,
    @Arg('to', () => String, { nullable: true, description: 'Time of day, HH:MM.' }) to: string | null | undefined,
    @Arg('timeZone', () => String, { nullable: true, description: 'Such as `Europe/Berlin`; UTC when absent.' })
    timeZone: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AlertOverview> {
    requireScope(caller, 'operator');
    const hours = from == null && to == null ? null : { from: from ?? '', to: to ?? '', timeZone: timeZone ?? 'UTC' };
    await this.deps.rules.keepQuiet(hours && quietHours(hours));
    return this.deps.overview();
  }

  @Mutation(() => Alert, {
    description: 'Says that somebody looks after an alert. Who says so first stays; operators only.',
  })
  acknowledgeAlert(
    @Arg('id', () => ID, { description: 'Alert id.' }) id: string,
    @Arg('note', () => String, { nullable: true, description: 'What is known of it; up to 1,000 characters.' })
    note: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Alert> {
    const { accountId } = requireScope(caller, 'operator');
    if ((note ?? '').length > LONGEST_NOTE) {
      throw new AppError('invalid_request', `note: is longer than ${LONGEST_NOTE} characters.`);
    }
    return this.deps.history.acknowledge(id, { accountId, note: note ?? null });
  }
}

function watchAlerts({ caller, operationsFeed }: Context) {
  requireScope(caller, 'operator');
  return requireFeed(operationsFeed).alerts.watch();
}
