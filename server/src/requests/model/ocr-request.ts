import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { ErrorCodeType } from '../../database/error-code.ts';
import { Node } from '../../database/paging/node.type.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';
import { WallTimes } from '../times/wall-times.type.ts';
import type { AcceptedPrices } from './accepted-prices.ts';
import type { Effective } from './effective.ts';
import type { OcrPage } from './ocr-page.ts';
import { previewOf } from './preview.ts';
import { Mode, RequestOutcome, RequestStatus } from './request-enums.ts';
import { AppliedSettings, ResultMetadata } from './result-metadata.type.ts';
import { isFinal } from './states.ts';

@ObjectType({
  description: 'One document sent for text extraction, from its acceptance to its result.',
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: 'ocr_request' })
export class OcrRequest {
  @Field(() => ID, { description: 'Request id, `ocr_…`, rising with time.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => ID, { description: 'The account that sent it.' })
  @Property({ type: 'uuid' })
  accountId!: string;

  @Field(() => ID, { nullable: true, description: 'The key that it was sent with; `login:…` for one without a key.' })
  @Property({ type: 'text', nullable: true })
  keyId: string | null = null;

  @Field(() => String, { nullable: true, description: 'The `Idempotency-Key` that it was sent with.' })
  @Property({ type: 'text', nullable: true })
  idempotencyKey: string | null = null;

  /** The `traceparent` of the call that it came with; null where it was not traced. */
  @Property({ type: 'text', nullable: true })
  trace: string | null = null;

  /** Null in rows stored before 2026-09-29: they replay whatever is sent. */
  @Property({ type: 'text', nullable: true })
  fingerprint: string | null = null;

  @Field(() => String, { description: 'Engine that the caller named.' })
  @Property({ type: 'text' })
  requestedEngine!: string;

  @Field(() => String, { description: 'Engine that produced the result.' })
  @Property({ type: 'text' })
  engine!: string;

  @Field(() => Mode, { description: 'Whether its caller waits for the result.' })
  @Property({ type: 'text' })
  mode!: Mode;

  @Property({ type: 'json' })
  effective!: Effective;

  @Field(() => RequestStatus, { description: 'Its state, as reading a request shows it.' })
  @Property({ type: 'text' })
  status!: RequestStatus;

  @Field(() => RequestOutcome, { description: 'How it ended, as submitting a request shows it.' })
  @Property({ type: 'text' })
  outcome!: RequestOutcome;

  /** The error that a waiting caller gets instead of an outcome; the idempotency key is free again then. */
  @Field(() => ErrorCodeType, {
    nullable: true,
    description: 'The code of the error that a waiting caller got instead of an outcome.',
  })
  @Property({ type: 'text', nullable: true })
  errorCode: ErrorCode | null = null;

  @Field(() => String, { nullable: true, description: 'What went wrong, on failure.' })
  @Property({ type: 'text', nullable: true })
  providerError: string | null = null;

  @Field(() => Int, { nullable: true, description: 'Pages processed and billed, once finished.' })
  @Property({ type: 'integer', nullable: true })
  pages: number | null = null;

  @Field(() => Int, { nullable: true, description: 'Pages in the source document, when known.' })
  @Property({ type: 'integer', nullable: true })
  pagesTotal: number | null = null;

  /** Non-fatal notes for the caller. */
  @Property({ type: 'json', fieldName: 'warnings' })
  notes: string[] = [];

  @Field(() => String, { nullable: true, description: 'A single note about the result.' })
  @Property({ type: 'text', nullable: true })
  warning: string | null = null;

  @Field(() => ResultMetadata, { nullable: true, description: 'Notes about how the text came to be.' })
  @Property({ type: 'json', nullable: true })
  metadata: ResultMetadata | null = null;

  @Field(() => AppliedSettings, { nullable: true, description: 'The settings that were applied, on success.' })
  @Property({ type: 'json', nullable: true })
  appliedSettings: AppliedSettings | null = null;

  /** All that is kept of the text of a partial result. */
  @Property({ type: 'text', nullable: true })
  preview: string | null = null;

  /** Whether what was read is kept: the account kept history when the request ended, and has not switched it off since. */
  @Field(() => Boolean, { description: 'Whether the account kept what was read when it ended, and keeps it still.' })
  @Property({ type: 'boolean' })
  textRetained = false;

  @Field(() => Float, { nullable: true, description: 'Confidence from 0 to 1, where the engine reports it.' })
  @Property({ type: 'float', columnType: 'real', nullable: true })
  confidence: number | null = null;

  @Field(() => UsdScalar, {
    description: 'Money reserved at acceptance, in USD; once the request has ended it is spent or free.',
  })
  @Property({ type: 'bigint' })
  hold: NanoUsd = 0n;

  @Field(() => UsdScalar, { description: 'Credits charged so far, in USD.' })
  @Property({ type: 'bigint' })
  cost: NanoUsd = 0n;

  @Field(() => UsdScalar, {
    description: 'What refunds gave back of what was charged; neither `cost` nor any total changes by it.',
  })
  @Property({ type: 'bigint' })
  refunded: NanoUsd = 0n;

  /** The period of its key's spending limit in which it counts; null where the key had none. */
  @Property({ type: 'integer', nullable: true })
  budgetTerm: number | null = null;

  /** What the engines cost when it was accepted; null in requests of earlier versions. */
  @Property({ type: 'json', nullable: true })
  prices: AcceptedPrices | null = null;

  @Field(() => Int, { nullable: true, description: 'Engine time in milliseconds.' })
  @Property({ type: 'integer', nullable: true })
  providerLatencyMs: number | null = null;

  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds for getting and opening the document, where that was part of the run.',
  })
  @Property({ type: 'integer', nullable: true })
  documentMs: number | null = null;

  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds for making pictures of its pages, those made side by side added up.',
  })
  @Property({ type: 'integer', nullable: true })
  renderMs: number | null = null;

  @Field(() => WallTimes, {
    nullable: true,
    description:
      'Where the time of its run went. Of a large job that runs: up to its last page that is stored. Null for others until ' +
      'they have ended, and for requests of earlier versions.',
  })
  @Property({ type: 'json', nullable: true })
  wallTimes: WallTimes | null = null;

  @Property({ type: 'text', nullable: true })
  leaseOwner: string | null = null;

  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  leaseExpiresAt: Date | null = null;

  /** Rises with every lease: who holds an older one can change nothing. */
  @Property({ type: 'integer' })
  fence = 0;

  @Field(() => Int, { description: 'How often a worker began with it: more than once after a crash.' })
  @Property({ type: 'integer' })
  starts = 0;

  /**
   * Whether this request is suspected of ending its process. Null: no process has died while it ran. 0: one has, in which other
   * requests ran, too. 1: so has a second one. From 2 on: it was the only request of n - 1 processes that died.
   */
  @Property({ type: 'smallint', nullable: true })
  suspicion: number | null = null;

  /** The contract's job id, `job_…`: for a large PDF that is read page by page. */
  @Property({ type: 'text', nullable: true })
  jobId: string | null = null;

  /**
   * SHA-256 of the document at a URL, for a large job and where positions are kept: the URL may answer with another document
   * later.
   */
  @Property({ type: 'text', nullable: true })
  documentHash: string | null = null;

  @Field(() => Date, { description: 'When it was accepted.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();

  @Field(() => Date, { nullable: true, description: 'When a worker last took it.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  startedAt: Date | null = null;

  @Field(() => Date, {
    nullable: true,
    description:
      'When a worker first took it, where a run of it was handed back or lost and it was taken again; null for one with a single run.',
  })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  firstStartedAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: 'When it reached its final state.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  finishedAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: 'When its cancellation was asked for.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  cancelRequestedAt: Date | null = null;

  @Field(() => Date, {
    nullable: true,
    description: 'When it ended by its cancellation; null for one that ended by itself, whatever was asked for.',
  })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  cancelledAt: Date | null = null;

  /** Its texts are deleted once it has ended and its caller has the result. */
  @Property({ type: 'boolean' })
  discard = false;

  @Field(() => Date, {
    nullable: true,
    description: 'When what was read and how it was asked for were deleted; what it cost stays.',
  })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  deletedAt: Date | null = null;

  /** The joined text of the pages, where it was loaded with the request. */
  @Property({ persist: false, type: 'text' })
  text: string | null = null;

  /** How long its text is, where that was too long to be loaded with the request. */
  @Property({ persist: false, type: 'float' })
  largeTextBytes: number | null = null;

  /** The first characters of such a text, enough for its preview, where they were read. */
  @Property({ persist: false, type: 'text' })
  largeTextBeginning: string | null = null;

  /**
   * The pages, where the run that read them has just ended in this process and they were asked for; none of a request that
   * was accepted just now.
   */
  @Property({ persist: false, type: 'json' })
  pageRows: readonly OcrPage[] | null = null;

  /** How old it was, by the database's clock, when it was looked up; null for one that was not. */
  @Property({ persist: false, type: 'float' })
  ageMs: number | null = null;

  /** Whether this answer repeats an outcome that an earlier call with the same key had. */
  @Property({ persist: false, type: 'boolean' })
  replayed = false;

  /** Whether this answer goes to a caller who may not read its texts. */
  @Property({ persist: false, type: 'boolean' })
  hidesText = false;

  get isFinished(): boolean {
    return isFinal(this.status);
  }

  /** The text that may be handed out: only a success has one. */
  @Field(() => String, {
    nullable: true,
    description: 'Full engine output of a success; null for partial results, and when it was not retained.',
  })
  get extractedText(): string | null {
    if (this.largeTextBytes !== null) throw new Error(`the text of ${this.id} is shown, and was not read`);
    return this.status === 'succeeded' ? this.text : null;
  }

  @Field(() => String, { nullable: true, description: 'The first 2,000 characters of the text.' })
  get extractedTextPreview(): string | null {
    if (this.status === 'partial') return this.preview;
    const text = this.largeTextBeginning ?? this.extractedText;
    return text === null ? null : previewOf(text);
  }

  @Field(() => String, {
    nullable: true,
    description: 'The text of a success where its preview is all of it; null where it is longer.',
  })
  get extractedTextIfShort(): string | null {
    if (this.largeTextBytes !== null) return null;
    const text = this.extractedText;
    return text !== null && text === previewOf(text) ? text : null;
  }

  @Field(() => [String], {
    nullable: true,
    description: 'Non-fatal notes; null when there are none.',
  })
  get warnings(): string[] | null {
    return this.notes.length > 0 ? this.notes : null;
  }

  @Field(() => String, { nullable: true, description: 'Where to ask for the result while it is not there.' })
  get pollUrl(): string | null {
    if (this.isFinished) return null;
    return this.jobId === null ? `/v1/ocr/${this.id}` : `/v1/ocr/jobs/${this.jobId}/status`;
  }
}
