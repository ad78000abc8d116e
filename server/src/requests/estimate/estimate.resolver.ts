import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { OcrRequestInput } from '../model/ocr-request.input.ts';
import type { Estimates } from './estimate.ts';
import { Estimate } from './estimate.type.ts';

/** The cost of a document before it is sent. */
@Resolver()
export class EstimateResolver {
  constructor(private readonly estimates: Estimates) {}

  @Query(() => Estimate, {
    description:
      'What a request would cost: the document is opened and its pages are counted; nothing is sent or charged.',
  })
  estimateOcr(
    @Arg('request', () => OcrRequestInput, { description: 'The document and how it would be read.' })
    request: OcrRequestInput,
    @Ctx() context: Context,
  ): Promise<Estimate> {
    const caller = requireScope(context.caller, 'usage:read');
    return this.estimates.estimate(caller, request, context);
  }
}
