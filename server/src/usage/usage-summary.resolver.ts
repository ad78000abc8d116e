import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { readAccount } from '../accounts/callers/account-scope.ts';
import type { Context } from '../accounts/callers/context.ts';
import { ApiKey } from '../accounts/model/api-key.ts';
import type { Pool } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import type { KeyUsageReader } from './key-usage.ts';
import { KeyUsage } from './key-usage.type.ts';
import { usagePeriod } from './usage-period.ts';
import { usageSummary } from './usage-summary.ts';
import { UsageSummary } from './usage-summary.type.ts';

/** What accounts and keys used. */
@Resolver(() => ApiKey)
export class UsageSummaryResolver {
  constructor(
    private readonly reports: { readonly pool: Pool; readonly ready: ReportsReady },
    private readonly keys: KeyUsageReader,
  ) {}

  @Query(() => UsageSummary, { description: 'What an account used, by day, by engine and by key.' })
  usageSummary(
    @Arg('from', () => String, { nullable: true, description: 'First day, YYYY-MM-DD (UTC); 30 days ago when absent.' })
    from: string | null | undefined,
    @Arg('to', () => String, { nullable: true, description: 'Last day, YYYY-MM-DD (UTC); today when absent.' })
    to: string | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: 'The caller’s own when absent; others for operators.' })
    accountId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<UsageSummary> {
    const owner = readAccount(caller, 'usage:read', accountId);
    return usageSummary(this.reports, owner, usagePeriod(from, to, new Date()));
  }

  @FieldResolver(() => KeyUsage, { description: 'What was sent with it in the last 30 days (UTC), today among them.' })
  usage30Days(@Root() key: ApiKey, @Ctx() context: Context): Promise<KeyUsage> {
    return this.keys.of(key, context);
  }
}
