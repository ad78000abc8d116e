import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { isOperator } from '../../accounts/callers/account-scope.ts';
import { requireCaller, requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { AppError } from '../../platform/errors.ts';
import { within } from '../../platform/numbers/require-range.ts';
import { windowStart } from '../series/engine-window.ts';
import type { RefusalStore } from './refusal-store.ts';
import { RefusalCounts, RefusedCallType } from './refused-call.type.ts';

/** Calls that never became a request. */
@Resolver()
export class RefusalsResolver {
  constructor(private readonly store: RefusalStore) {}

  @Query(() => RefusedCallType, {
    description: 'A refused call by the id that its answer had: of the caller’s account, or for operators of any.',
  })
  async refusedCall(
    @Arg('id', () => ID, { description: 'What the answer had in `X-Request-Id`: `req_…`.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<RefusedCallType> {
    const known = requireCaller(caller);
    const call = /^req_[0-9A-Z]{26}$/.test(id) ? await this.store.find(id) : null;
    if (call && (isOperator(known) || call.accountId === known.accountId)) return call;
    throw new AppError('not_found', 'No call of the last three days was refused under this id.');
  }

  @Query(() => [RefusalCounts], {
    description:
      'Refused calls of the last hours by engine, account, key and code, most first, at most 500; operators only.',
  })
  refusedCalls(
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours to look back, 1 to 720.' }) hours: number,
    @Ctx() { caller }: Context,
  ): Promise<RefusalCounts[]> {
    requireScope(caller, 'operator');
    return this.store.counts(windowStart(within('hours', hours, 720), new Date()));
  }
}
