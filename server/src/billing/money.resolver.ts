import { Arg, Ctx, FieldResolver, Float, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Account } from '../accounts/account.ts';
import { requireScope } from '../accounts/caller.ts';
import type { Context } from '../accounts/context.ts';
import { managedAccount, readAccount } from '../accounts/whose.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '../database/page-size.ts';
import type { Ledger } from './ledger.ts';
import { BalanceType, LedgerCheck, LedgerPage, PendingCostType, VerifiedCost } from './money.type.ts';
import type { PendingCosts } from './pending-costs.ts';
import { usdAmount } from './usd-amount.ts';
import type { WalletReader } from './wallet-reader.ts';

/** The money of accounts, and what operators do with it. */
@Resolver(() => Account)
export class MoneyResolver {
  constructor(
    private readonly ledgerDesk: Ledger,
    private readonly wallets: WalletReader,
    private readonly pending: PendingCosts,
  ) {}

  @FieldResolver(() => BalanceType, { description: 'What it has.' })
  balance(@Root() account: Account, @Ctx() context: Context): Promise<BalanceType> {
    return this.wallets.balanceOf(account.id, context);
  }

  @Query(() => LedgerPage, { description: 'The movements of an account’s money, newest first.' })
  ledger(
    @Arg('accountId', () => ID, { nullable: true, description: 'The caller’s own when absent; others for operators.' })
    accountId: string | null | undefined,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Transfers on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' })
    after: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<LedgerPage> {
    const owner = readAccount(caller, 'usage:read', accountId);
    return this.wallets.ledger(owner, { size: pageSize(first), after: after ?? null });
  }

  @Query(() => [PendingCostType], { description: 'Attempts whose cost is unknown, oldest first; operators only.' })
  pendingCosts(@Ctx() { caller }: Context): Promise<PendingCostType[]> {
    requireScope(caller, 'operator');
    return this.pending.list() as Promise<PendingCostType[]>; // the same fields, read-only
  }

  @Query(() => [LedgerCheck], { description: 'The ledger’s invariants, checked now; operators only.' })
  ledgerChecks(@Ctx() { caller }: Context): Promise<LedgerCheck[]> {
    requireScope(caller, 'operator');
    return this.ledgerDesk.check();
  }

  @Mutation(() => BalanceType, {
    description: 'Adds credit to an account; what it owes is collected first. Operators only.',
  })
  async addCredit(
    @Arg('accountId', () => ID, { description: 'Account id.' }) accountId: string,
    @Arg('usd', () => Float, { description: 'Amount in USD.' }) usd: number,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description:
        'A name of this top-up: the same one again adds nothing, so that an answer that was lost costs nothing.',
    })
    idempotencyKey: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<BalanceType> {
    requireScope(caller, 'operator');
    const owner = managedAccount(caller, accountId);
    await this.ledgerDesk.topUp(owner, usdAmount(usd), idempotencyKey ?? null);
    return this.wallets.balance(owner);
  }

  @Mutation(() => VerifiedCost, {
    description: 'Debits what a provider’s late bill says an attempt cost, once. Operators only.',
  })
  verifyCost(
    @Arg('attemptId', () => ID, { description: 'Attempt id, `att_…`.' }) attemptId: string,
    @Arg('usd', () => Float, { description: 'Cost in USD.' }) usd: number,
    @Ctx() { caller }: Context,
  ): Promise<VerifiedCost> {
    requireScope(caller, 'operator');
    return this.pending.verify(attemptId, usdAmount(usd));
  }
}
