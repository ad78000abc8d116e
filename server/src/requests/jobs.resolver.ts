import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { requireScope } from '../accounts/caller.ts';
import type { Context } from '../accounts/context.ts';
import type { NanoUsd } from '../database/money.ts';
import { UsdScalar } from '../database/usd.scalar.ts';
import { AppError } from '../errors.ts';
import { OcrRequest } from './ocr-request.ts';

@ObjectType({ description: 'Progress of a large PDF that is read page by page.', simpleResolvers: true })
export class OcrJob {
  @Field(() => ID, { description: 'Job id, `job_…`.' })
  id!: string;

  @Field(() => ID, { description: 'The request it belongs to.' })
  requestId!: string;

  @Field(() => String, { description: 'Status, as of the request.' })
  status!: string;

  @Field(() => Int, { description: 'Pages in the document.' })
  pagesTotal!: number;

  @Field(() => Int, { description: 'Pages that are read.' })
  pagesDone!: number;

  @Field(() => Int, { description: 'Pages that failed.' })
  pagesFailed!: number;

  @Field(() => UsdScalar, { description: 'Credits charged so far, in USD.' })
  cost!: NanoUsd;

  @Field(() => Int, { description: 'How long to wait before asking again, in milliseconds.' })
  pollAfterMs!: number;
}

/** No request becomes a job yet, so every id is unknown. */
@Resolver()
export class JobsResolver {
  @Query(() => OcrJob, { description: 'Progress of a large PDF job.' })
  ocrJob(@Arg('id', () => ID, { description: 'Job id.' }) id: string, @Ctx() context: Context): OcrJob {
    throw unknownJob(id, context);
  }

  @Query(() => OcrRequest, { description: 'Result of a large PDF job.' })
  ocrJobResult(@Arg('id', () => ID, { description: 'Job id.' }) id: string, @Ctx() context: Context): OcrRequest {
    throw unknownJob(id, context);
  }
}

function unknownJob(id: string, context: Context): AppError {
  requireScope(context.caller, 'ocr:read');
  return new AppError('not_found', `There is no job "${id.slice(0, 100)}" in your account.`);
}
