import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { type Caller, requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { AppError } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { UsageHistory } from './usage-history.ts';
import { UsageHistoryPage } from './usage-history.type.ts';
import { usagePeriod } from './usage-period.ts';

const MOST_PER_PAGE = 100;

@Resolver()
export class UsageHistoryResolver {
  constructor(private readonly history: UsageHistory) {}

  @Query(() => UsageHistoryPage, { description: 'The requests of the caller’s account, newest first.' })
  usageHistory(
    @Arg('userId', () => ID, { description: 'Id of the caller’s account.' }) userId: string,
    @Arg('from', () => String, { nullable: true, description: 'First day, YYYY-MM-DD (UTC); 30 days ago when absent.' })
    from: string | null | undefined,
    @Arg('to', () => String, { nullable: true, description: 'Last day, YYYY-MM-DD (UTC); today when absent.' })
    to: string | null | undefined,
    @Arg('engine', () => String, { nullable: true, description: 'Only requests of this engine.' })
    engine: string | null | undefined,
    @Arg('page', () => Int, { defaultValue: 1, description: 'Page, counted from 1.' }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 50, description: 'Requests on one page, 1 to 100.' }) perPage: number,
    @Ctx() context: Context,
  ): Promise<UsageHistoryPage> {
    const accountId = requireOwn(requireScope(context.caller, 'usage:read'), userId);
    const period = usagePeriod(from, to, new Date());
    requireBetween('page', page, Number.MAX_SAFE_INTEGER);
    requireBetween('per_page', perPage, MOST_PER_PAGE);
    return this.history.read({ accountId, period, engine: engine ?? null, page, perPage });
  }
}

/** The caller's own account: another one is as unknown as one that does not exist. */
function requireOwn({ accountId }: Caller, userId: string): string {
  if (!isUuid(userId)) throw new AppError('invalid_request', 'user_id: must be a UUID.');
  if (userId.toLowerCase() !== accountId) throw new AppError('not_found', 'There is no such user.');
  return accountId;
}

function requireBetween(name: string, value: number, most: number): void {
  if (value >= 1 && value <= most) return;
  throw new AppError('invalid_request', `${name}: must be from 1 to ${most}.`);
}
