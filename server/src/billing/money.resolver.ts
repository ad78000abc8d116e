import { Arg, Ctx, FieldResolver, Float, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { managedAccount, readAccount } from '../accounts/callers/account-scope.ts';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { Account } from '../accounts/model/account.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '../database/paging/page-size.ts';
import type { Corrections } from './corrections.ts';
import type { LedgerProof } from './ledger-proof.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { LowBalance } from './low-balance.ts';
import { BalanceType, LedgerCheck, LedgerPage, OcrRefund, PendingCostType, VerifiedCost } from './money.type.ts';
import { MOST_PENDING, type PendingCosts } from './pending-costs.ts';
import { signedUsdAmount, usdAmount } from './usd-amount.ts';

/** The money of accounts, and what operators do with it. */
@Resolver(() => Account)
export class MoneyResolver {
  constructor(
    private readonly reader: LedgerReader,
    private readonly pending: PendingCosts,
    private readonly corrections: Corrections,
    private readonly proof: LedgerProof,
    private readonly low: LowBalance,
  ) {}

  @FieldResolver(() => BalanceType, { description: 'What it has.' })
  balance(@Root() account: Account, @Ctx() context: Context): Promise<BalanceType> {
    return this.reader.balanceOf(account.id, context);
  }

  @Query(() => LedgerPage, { description: 'The movements of an account’s money, newest first.' })
  ledger(
    @Arg('accountId', () => ID, { nullable: true, description: 'The caller’s own when absent; others for operators.' })
    accountId: string | null | undefined,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Transfers on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' })
    after: string | null | undefined,
    @Arg('from', () => Date, { nullable: true, description: 'Transfers that were written at this time or later.' })
    from: Date | null | undefined,
    @Arg('to', () => Date, { nullable: true, description: 'Transfers that were written before this time.' })
    to: Date | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<LedgerPage> {
    const owner = readAccount(caller, 'usage:read', accountId);
    return this.reader.ledger(owner, {
      size: pageSize(first),
      after: after ?? null,
      from: from ?? null,
      to: to ?? null,
    });
  }

  @Query(() => [PendingCostType], { description: 'Attempts whose cost is unknown, oldest first; operators only.' })
  pendingCosts(
    @Arg('first', () => Int, { defaultValue: MOST_PENDING, description: 'How many at most, 1 to 1000.' })
    first: number,
    @Arg('after', () => ID, { nullable: true, description: 'The last attempt of the list before.' })
    after: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<PendingCostType[]> {
    requireScope(caller, 'operator');
    return this.pending.list({ first, after: after ?? null }) as Promise<PendingCostType[]>; // the same fields, read-only
  }

  @Query(() => [LedgerCheck], {
    description:
      'The ledger’s invariants, checked now; operators only. Transfers that an earlier check has proven are not read ' +
      'again, unless it is a full one.',
  })
  ledgerChecks(
    @Arg('full', () => Boolean, { defaultValue: false, description: 'Reads every transfer and every request again.' })
    full: boolean,
    @Ctx() { caller }: Context,
  ): Promise<LedgerCheck[]> {
    requireScope(caller, 'operator');
    return this.proof.check({ full });
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
        'A name of this top-up: the same one again adds nothing, so that an answer that was lost costs nothing. For ' +
        'another amount or account it is refused (`idempotency_key_reused`).',
    })
    idempotencyKey: string | null | undefined,
    @Arg('reason', () => String, { nullable: true, description: 'Why; it stands in the account’s ledger.' })
    reason: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<BalanceType> {
    requireScope(caller, 'operator');
    const owner = managedAccount(caller, accountId);
    await this.corrections.topUp(owner, usdAmount(usd), { key: idempotencyKey, reason: reason ?? undefined });
    return this.reader.balance(owner);
  }

  @Mutation(() => BalanceType, {
    description:
      'Corrects the balance of an account, up or down, by a transfer of its own. What it owes is collected first; ' +
      'less than nothing is never left: then nothing is taken (`insufficient_balance`). Operators only.',
  })
  async adjustCredit(
    @Arg('accountId', () => ID, { description: 'Account id.' }) accountId: string,
    @Arg('usd', () => Float, { description: 'Amount in USD; below 0 it is taken away.' }) usd: number,
    @Arg('reason', () => String, { description: 'Why; it stands in the account’s ledger.' }) reason: string,
    @Arg('idempotencyKey', () => String, { nullable: true, description: 'As for `addCredit`.' })
    idempotencyKey: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<BalanceType> {
    requireScope(caller, 'operator');
    const owner = managedAccount(caller, accountId);
    await this.corrections.adjust(owner, signedUsdAmount(usd), { reason, key: idempotencyKey ?? null });
    return this.reader.balance(owner);
  }

  @Mutation(() => OcrRefund, {
    description:
      'Gives back what was charged for a request, never more than that in all. The request keeps its cost: its account ' +
      'gets a transfer of its own, of which what it owes is collected first. Operators only.',
  })
  async refundRequest(
    @Arg('requestId', () => ID, { description: 'Request id, `ocr_…`.' }) requestId: string,
    @Arg('usd', () => Float, { nullable: true, description: 'Amount in USD; all that is left when absent.' })
    usd: number | null | undefined,
    @Arg('reason', () => String, { description: 'Why; it stands in the account’s ledger.' }) reason: string,
    @Arg('idempotencyKey', () => String, { nullable: true, description: 'As for `addCredit`.' })
    idempotencyKey: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<OcrRefund> {
    requireScope(caller, 'operator');
    return this.corrections.refund(requestId, usd == null ? null : usdAmount(usd), {
      reason,
      key: idempotencyKey ?? null,
    });
  }

  @Mutation(() => BalanceType, {
    description: 'Sets below which balance the dashboard tells the owner that it is low. Needs a login, or `operator`.',
  })
  setLowBalance(
    @Arg('usd', () => Float, { nullable: true, description: 'Amount in USD; never when absent.' })
    usd: number | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: 'The caller’s own when absent; others for operators.' })
    accountId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<BalanceType> {
    return this.low.set(managedAccount(caller, accountId), usd == null ? null : usdAmount(usd));
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
