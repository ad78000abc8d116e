import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

/** `read`: has text. `blank`: nothing to read. `skipped`: a scanned page left out. `failed`: the engine did not read it. */
export type PageState = 'read' | 'blank' | 'skipped' | 'failed';
export type PageSource = 'text_layer' | 'engine';

@ObjectType({
  description: 'One page of a result: what was read, by which engine, and what it cost.',
  simpleResolvers: true,
})
@Entity({ tableName: 'ocr_page' })
export class OcrPage {
  @PrimaryKey({ type: 'text' })
  requestId!: string;

  @Field(() => Int, { description: 'Page number in the document, from 1.' })
  @PrimaryKey({ type: 'integer' })
  number!: number;

  @Field(() => String, { description: 'Engine that read the page.' })
  @Property({ type: 'text' })
  engine!: string;

  @Field(() => String, { description: '`text_layer`: the PDF’s own text. `engine`: recognised from the picture.' })
  @Property({ type: 'text' })
  source!: PageSource;

  @Field(() => String, { description: '`read`, `blank`, `skipped` or `failed`.' })
  @Property({ type: 'text' })
  state!: PageState;

  @Field(() => String, {
    nullable: true,
    description: 'The text; null when it is not retained or the page was not read.',
  })
  @Property({ type: 'text', nullable: true })
  text: string | null = null;

  @Field(() => Float, { nullable: true, description: 'Confidence from 0 to 1, where the engine reports it.' })
  @Property({ type: 'float', columnType: 'real', nullable: true })
  confidence: number | null = null;

  @Field(() => Int, { nullable: true, description: 'Engine time for the page in milliseconds.' })
  @Property({ type: 'integer', nullable: true })
  providerLatencyMs: number | null = null;

  @Field(() => UsdScalar, { description: 'What the page cost the caller.' })
  @Property({ type: 'bigint' })
  cost: NanoUsd = 0n;

  @Field(() => String, { nullable: true, description: 'What kind of failure it was, in the words of the error codes.' })
  @Property({ type: 'text', nullable: true })
  code: string | null = null;

  @Field(() => String, { nullable: true, description: 'Why a page was skipped or failed.' })
  @Property({ type: 'text', nullable: true })
  message: string | null = null;
}
