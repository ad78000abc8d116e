import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';
import { PageFailureCode } from '../model/ocr-page.ts';
import { RequestStatus } from '../model/request-enums.ts';

@ObjectType({ description: 'A page of a large PDF job that could not be read.', simpleResolvers: true })
export class PageFailure {
  @Field(() => Int, { description: 'Page number in the document, from 1.' })
  page!: number;

  @Field(() => PageFailureCode, { description: 'Why it was not read.' })
  code!: PageFailureCode;

  @Field(() => String, { description: 'What went wrong.' })
  message!: string;
}

@ObjectType({ description: 'Progress of a large PDF that is read page by page.', simpleResolvers: true })
export class OcrJob {
  @Field(() => ID, { description: 'Job id, `job_…`.' })
  id!: string;

  @Field(() => ID, { description: 'The request it belongs to.' })
  requestId!: string;

  @Field(() => RequestStatus, { description: 'Status, as of the request.' })
  status!: RequestStatus;

  @Field(() => Int, { description: 'Pages in the document.' })
  pagesTotal!: number;

  @Field(() => Int, { description: 'Pages that are read.' })
  pagesDone!: number;

  @Field(() => [PageFailure], { description: 'Pages that could not be read.' })
  pagesFailed!: PageFailure[];

  @Field(() => UsdScalar, { description: 'Credits charged so far, in USD.' })
  cost!: NanoUsd;

  @Field(() => Int, {
    nullable: true,
    description: 'How long to wait before asking again, in milliseconds; null when it has ended.',
  })
  pollAfterMs!: number | null;

  @Field(() => Date, { nullable: true, description: 'When its cancellation was asked for.' })
  cancelRequestedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it ended by its cancellation.' })
  cancelledAt!: Date | null;
}
