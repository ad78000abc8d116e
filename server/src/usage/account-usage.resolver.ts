import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '../database/paging/page-size.ts';
import { within } from '../platform/numbers/require-range.ts';
import type { AccountUsageReader } from './account-usage.ts';
import { AccountOrder, AccountUsagePage } from './account-usage.type.ts';

const MOST_DAYS = 366;

/** Which accounts use how much, for operators. */
@Resolver()
export class AccountUsageResolver {
  constructor(private readonly reader: AccountUsageReader) {}

  @Query(() => AccountUsagePage, {
    description: 'The accounts with what they used in the last days, in the order that is asked for; operators only.',
  })
  accountUsage(
    @Arg('order', () => AccountOrder, { defaultValue: 'email', description: 'What they are sorted by.' })
    order: AccountOrder,
    @Arg('descending', () => Boolean, { defaultValue: false, description: 'Whether the largest comes first.' })
    descending: boolean,
    @Arg('days', () => Int, { defaultValue: 30, description: 'Days (UTC) up to today, 1 to 366.' }) days: number,
    @Arg('search', () => String, { nullable: true, description: 'Part of the e-mail address.' })
    search: string | null | undefined,
    @Arg('owing', () => Boolean, { defaultValue: false, description: 'Only accounts that owe something.' })
    owing: boolean,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Accounts on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before, of the same order.' })
    after: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AccountUsagePage> {
    requireScope(caller, 'operator');
    const asked = { order, descending, days: within('days', days, MOST_DAYS), search: search ?? null, owing };
    return this.reader.page(asked, { size: pageSize(first), after: after ?? null }, new Date());
  }
}
