import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../accounts/callers/context.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { Cancellations } from './cancellations.ts';
import type { Deletions } from './deletions.ts';

@Resolver()
export class CancellationsResolver {
  constructor(
    private readonly cancellations: Cancellations,
    private readonly deletions: Deletions,
  ) {}

  @Mutation(() => OcrRequest, {
    description:
      'Ends a request before its own end: one of the caller’s account, or for operators of any. What waits ends at once and ' +
      'is not charged. What is at work is stopped: the pages that were read are kept and charged, and of a call that was ' +
      'under way what its provider bills. The answer is the request at its end, or as it is after ten seconds. Nothing ' +
      'happens to one that has ended.',
  })
  cancelRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<OcrRequest> {
    return this.cancellations.cancel(caller, id);
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes for good what a request of the caller’s account read and how it was asked for: texts, messages, settings, ' +
      'addresses, bodies of webhooks. What it cost, its times and its idempotency key stay. One that is at work is ' +
      'cancelled, and keeps nothing when it ends. The answer is true: what cannot be deleted is an error.',
  })
  async deleteRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<boolean> {
    await this.deletions.delete(caller, id);
    return true;
  }

  @Mutation(() => OcrRequest, {
    description:
      'Does what `deleteRequest` does, and answers what is left of the request; of one that was at work, as it was then.',
  })
  deleteRequestData(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<OcrRequest> {
    return this.deletions.delete(caller, id);
  }
}
