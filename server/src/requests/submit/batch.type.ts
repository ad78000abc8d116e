import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ErrorCodeType } from '../../database/error-code.ts';
import { enumType } from '../../platform/enum-type.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';
import { OcrRequestInput } from '../model/ocr-request.input.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestOutcome } from '../model/request-enums.ts';

@InputType({ description: 'Why an item cannot be processed, found before it was sent here.' })
export class BatchItemRefusal {
  @Field(() => String, { description: 'Error code, as for a single request.' })
  code!: string;

  @Field(() => String, { description: 'What to do about it.' })
  message!: string;
}

@InputType({ description: 'One document of a batch.' })
export class BatchItemInput {
  @Field(() => OcrRequestInput, {
    nullable: true,
    description: 'The document and how to read it; `mode`, `webhookUrl` and `outputFormat` do not count in a batch.',
  })
  request?: OcrRequestInput;

  @Field(() => [String], { nullable: true, description: 'Names of fields to warn about.' })
  unknownFields?: string[];

  @Field(() => BatchItemRefusal, { nullable: true, description: 'Instead of `request`: the item is answered with it.' })
  refusal?: BatchItemRefusal;
}

@ObjectType({ description: 'Why an item of a batch was not processed.', simpleResolvers: true })
export class BatchItemError {
  @Field(() => ErrorCodeType, { description: 'Error code, as for a single request.' })
  code!: ErrorCode;

  @Field(() => String, { description: 'What to do about it.' })
  message!: string;
}

const BatchItemStatus = enumType<RequestOutcome | 'rejected'>('BatchItemStatus', 'How an item of a batch ended.', {
  processing: 'It was accepted, and its end was not seen: the database was away.',
  succeeded: 'Its document was read.',
  partial: 'A part of its document was read.',
  refunded: 'Its document was not read: its price was not charged.',
  timeout: 'Its time was over.',
  rejected: 'It would have been an error alone; `error` says which.',
});
type BatchItemStatus = keyof typeof BatchItemStatus;

@ObjectType({ description: 'The outcome of one item of a batch.', simpleResolvers: true })
export class BatchItemResult {
  @Field(() => Int, { description: 'Place of the item in the batch, from 0.' })
  index!: number;

  @Field(() => ID, { nullable: true, description: 'Request id; null for an item that was not accepted.' })
  requestId!: string | null;

  @Field(() => BatchItemStatus, { description: 'How it ended.' })
  status!: BatchItemStatus;

  @Field(() => String, { nullable: true, description: 'Engine that produced the result.' })
  engine!: string | null;

  @Field(() => String, { nullable: true, description: 'Full engine output of a success.' })
  extractedText!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The first 2,000 characters of what was recovered of a partial result; null for others.',
  })
  extractedTextPreview!: string | null;

  @Field(() => UsdScalar, { description: 'Credits charged, in USD.' })
  cost!: NanoUsd;

  @Field(() => Int, { nullable: true, description: 'Pages processed and billed.' })
  pages!: number | null;

  @Field(() => Int, { nullable: true, description: 'Pages in the source document.' })
  pagesTotal!: number | null;

  @Field(() => [String], { nullable: true, description: 'Non-fatal notes.' })
  warnings!: string[] | null;

  @Field(() => String, { nullable: true, description: 'Why a partial result is one; null for others.' })
  warning!: string | null;

  @Field(() => String, { nullable: true, description: 'What went wrong at the engine.' })
  providerError!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it ended by its cancellation.' })
  cancelledAt!: Date | null;
  /** The request of an item that was accepted. */
  request: OcrRequest | null = null;

  @Field(() => BatchItemError, { nullable: true, description: 'Set for an item that was not processed.' })
  error!: BatchItemError | null;
}

@ObjectType({ description: 'The outcomes of a batch.', simpleResolvers: true })
export class Batch {
  @Field(() => ID, { description: 'Batch id, `bat_…`.' })
  id!: string;

  @Field(() => [BatchItemResult], { description: 'One entry an item, in order.' })
  results!: BatchItemResult[];

  @Field(() => UsdScalar, { description: 'Sum of what was charged, in USD.' })
  totalCost!: NanoUsd;
}
