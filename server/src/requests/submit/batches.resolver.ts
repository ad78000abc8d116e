import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import type { Log } from '../../platform/logging/log.ts';
import { OcrPage } from '../model/ocr-page.ts';
import { retainedUntil } from '../model/retained-until.ts';
import type { IncludedPages } from '../store/included-pages.ts';
import { runBatch } from './batch.ts';
import { Batch, BatchItemInput, BatchItemResult } from './batch.type.ts';
import type { Submissions } from './submit.ts';

@Resolver(() => BatchItemResult)
export class BatchesResolver {
  constructor(
    private readonly submissions: Submissions,
    private readonly included: Pick<IncludedPages, 'of'>,
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
    const { hangUp, sentDocuments } = context;
    return runBatch({ submissions: this.submissions, log: this.log }, { caller, hangUp, sentDocuments }, items);
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'Until when what was read is kept; null where it is kept for ever, or not at all.',
  })
  retainedUntil(@Root() { request }: BatchItemResult, @Ctx() { caller }: Context): Date | null {
    return request && retainedUntil(request, caller);
  }

  @FieldResolver(() => [OcrPage], {
    nullable: true,
    description: 'The pages of the result, in order, with what `include` asked for; null where it asked for nothing.',
  })
  async includedPages(@Root() item: BatchItemResult, @Ctx() context: Context): Promise<OcrPage[] | null> {
    return item.request && this.included.of(item.request, context);
  }
}
