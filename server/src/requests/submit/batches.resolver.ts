import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import type { Log } from '../../platform/logging/log.ts';
import { runBatch } from './batch.ts';
import { Batch, BatchItemInput } from './batch.type.ts';
import type { Submissions } from './submit.ts';

@Resolver()
export class BatchesResolver {
  constructor(
    private readonly submissions: Submissions,
    private readonly log: Log,
  ) {}

  @Mutation(() => Batch, {
    description: 'Sends up to 20 documents at once and waits for all outcomes. Not idempotent.',
  })
  submitOcrBatch(
    @Arg('items', () => [BatchItemInput], { description: 'The documents.' }) items: BatchItemInput[],
    @Ctx() context: Context,
  ): Promise<Batch> {
    const caller = requireScope(context.caller, 'ocr:write');
    return runBatch({ submissions: this.submissions, log: this.log }, { caller, hangUp: context.hangUp }, items);
  }
}
