import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { enumType } from '../../platform/enum-type.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';

const PageState = enumType('PageState', 'What came of a page.', {
  read: 'It has text.',
  blank: 'There is nothing to read on it.',
  skipped: 'It is a scanned page that was left out.',
  failed: 'The engine did not read it.',
});
type PageState = keyof typeof PageState;

const PageSource = enumType('PageSource', 'Where the text of a page comes from.', {
  text_layer: 'The PDF’s own text.',
  engine: 'Recognised from the picture.',
});
type PageSource = keyof typeof PageSource;

export const PageFailureCode = enumType('PageFailureCode', 'Why a page was not read.', {
  timeout: 'The engine did not answer in time.',
  cancelled: 'The request was cancelled before it was read.',
  unprocessable_entity: 'Nobody can read the page, or `fallback_engine` does not take it.',
  budget_exceeded: 'The page might have cost more than was left of `max_cost_usd`; it was not begun.',
  provider_error: 'The engine failed, refused the page, or did not read all of it.',
});
export type PageFailureCode = keyof typeof PageFailureCode;

/** What an answer carries of a page beside its text. */
export interface PageParts {
  readonly lines: boolean;
  readonly words: boolean;
  readonly tables: boolean;
}

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

  @Field(() => PageSource, { description: 'Where the text comes from.' })
  @Property({ type: 'text' })
  source!: PageSource;

  @Field(() => PageState, { description: 'What came of it.' })
  @Property({ type: 'text' })
  state!: PageState;

  @Field(() => String, {
    nullable: true,
    description:
      'The text, of a failed page what came before it broke off or ran in circles; null without any, or when it is not retained.',
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

  @Field(() => PageFailureCode, { nullable: true, description: 'Why it was not read.' })
  @Property({ type: 'text', nullable: true })
  code: PageFailureCode | null = null;

  @Field(() => String, { nullable: true, description: 'Why a page was skipped or failed.' })
  @Property({ type: 'text', nullable: true })
  message: string | null = null;

  /** The parts of the message that quote its engine or its provider: not kept where texts are not. */
  quotes?: readonly string[];

  /** The positions of its text: null where none are known, undefined where they were not looked up. */
  layout?: StoredLayout | null;

  /** The parts that an answer shows; all parts when undefined. */
  shows?: PageParts;
}
