import { Arg, Ctx, FieldResolver, Float, ID, Mutation, Resolver, Root } from 'type-graphql';
import { isOperator, managedAccount } from '../accounts/callers/account-scope.ts';
import type { Context } from '../accounts/callers/context.ts';
import { ApiKey } from '../accounts/model/api-key.ts';
import type { KeyStore } from '../accounts/store/key-store.ts';
import { BudgetPeriod, KeyBudget } from './limits/key-budget.type.ts';
import type { KeyBudgets } from './limits/key-budgets.ts';
import { usdAmount } from './usd-amount.ts';

/** The spending limits of keys: owners set those of their own, and no key sets its own. */
@Resolver(() => ApiKey)
export class KeyBudgetsResolver {
  constructor(
    private readonly budgets: KeyBudgets,
    private readonly keys: Pick<KeyStore, 'find'>,
  ) {}

  @FieldResolver(() => KeyBudget, { nullable: true, description: 'Its spending limit; null where it has none.' })
  budget(@Root() key: ApiKey, @Ctx() context: Context): Promise<KeyBudget | null> {
    return this.budgets.load(key.id, context);
  }

  @Mutation(() => ApiKey, {
    description:
      'Sets what a key may spend, or takes the limit away. It counts what is accepted from then on, within a second; ' +
      'another amount goes on counting, another period begins anew. Needs a login, or `operator`.',
  })
  async setKeyBudget(
    @Arg('id', () => ID, { description: 'Key id, `key_…`.' }) id: string,
    @Arg('usd', () => Float, { nullable: true, description: 'The limit in USD, above 0; none when absent.' })
    usd: number | null | undefined,
    @Arg('period', () => BudgetPeriod, { defaultValue: BudgetPeriod.month, description: 'When it begins anew.' })
    period: BudgetPeriod,
    @Ctx() { caller }: Context,
  ): Promise<ApiKey> {
    const owner = managedAccount(caller, null);
    const key = await this.keys.find(id, isOperator(caller) ? null : owner);
    await this.budgets.set(key.id, usd == null ? null : usdAmount(usd), period);
    return key;
  }
}
