import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { enumType } from '../../platform/enum-type.ts';
import { AttemptOutcome } from './attempt.ts';
import { OutputFormat } from './request-enums.ts';

const PreprocessingStep = enumType(
  'PreprocessingStep',
  'What was done to the picture of a page so that it reads better.',
  {
    flattened: 'Its light letters on nothing were laid on black.',
    turned: 'It was turned by 90, 180 or 270 degrees.',
    deskewed: 'Its lines were made straight.',
    enlarged: 'Its small letters were enlarged.',
    second_look: 'It was read again without specks and shadows.',
  },
);

@ObjectType({
  description: 'An exact repeat at the end of the text. The text is never changed; this is a flag.',
  simpleResolvers: true,
})
export class PossibleDuplicate {
  @Field(() => Int, { description: 'Lines in the repeated block.' })
  lines!: number;

  @Field(() => String, { description: 'The repeated block; empty in lists, and for those who may not read the text.' })
  text!: string;
}

@ObjectType({ description: 'One of the engines that automatic retry used.', simpleResolvers: true })
export class FallbackAttempt {
  @Field(() => String, { description: 'Engine id.' })
  engine!: string;

  @Field(() => AttemptOutcome, { description: 'How the attempt ended.' })
  outcome!: AttemptOutcome;

  @Field(() => Int, { nullable: true, description: 'Engine time in milliseconds.' })
  providerLatencyMs!: number | null;

  @Field(() => Float, { description: 'What the attempt cost the caller, in USD.' })
  costUsd!: number;
}

@ObjectType({ description: 'Which engine was asked for and which one produced the text.', simpleResolvers: true })
export class FallbackRecord {
  @Field(() => String, { description: 'Engine of the request.' })
  requestedEngine!: string;

  @Field(() => String, { description: 'Engine that produced the text.' })
  usedEngine!: string;

  @Field(() => String, { description: 'Why the requested engine’s answer was not used.' })
  reason!: string;

  @Field(() => [FallbackAttempt], { description: 'Both attempts, in order.' })
  attempts!: FallbackAttempt[];
}

@ObjectType({ description: 'What was done to a page so that it reads better.', simpleResolvers: true })
export class PagePreprocessing {
  @Field(() => Int, { description: 'Page number in the document, from 1.' })
  page!: number;

  @Field(() => [PreprocessingStep], { description: 'The steps, in their order.' })
  steps!: readonly (keyof typeof PreprocessingStep)[];
}

@ObjectType({ description: 'Notes about how the text came to be.', simpleResolvers: true })
export class ResultMetadata {
  @Field(() => [String], { nullable: true, description: 'Notes about the output of an LLM engine.' })
  warnings?: string[] | null;

  @Field(() => PossibleDuplicate, { nullable: true, description: 'An exact trailing repeat, if there is one.' })
  possibleDuplicate?: PossibleDuplicate | null;

  @Field(() => FallbackRecord, { nullable: true, description: 'Set when automatic retry produced the result.' })
  fallback?: FallbackRecord | null;

  @Field(() => [PagePreprocessing], {
    nullable: true,
    description: 'Pages that were prepared so that they read better; null where none was.',
  })
  preprocessing?: PagePreprocessing[] | null;
}

@ObjectType({ description: 'The settings that were applied; absent where nothing was.', simpleResolvers: true })
export class AppliedSettings {
  @Field(() => String, {
    nullable: true,
    description: 'The caller’s language; where the engine’s own parameters chose another, that one.',
  })
  language?: string | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'The language in the engine’s own words: a string or a list.',
  })
  languageNative?: unknown;

  @Field(() => Int, {
    nullable: true,
    description: 'Resolution of rendered pages in dots per inch; where none is rendered, what the request said.',
  })
  dpi?: number | null;

  @Field(() => String, { nullable: true, description: 'Pages that were picked.' })
  pageRange?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether table detection was on.' })
  detectTables?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Pages that were processed and billed.' })
  pageCount?: number | null;

  @Field(() => OutputFormat, { nullable: true, description: 'Shape of the answer.' })
  outputFormat?: OutputFormat | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Parameters of the engine itself as they were handed to it: without what was ignored, token limits as lowered. ' +
      'Operators of other accounts see their names alone, each with null.',
  })
  native?: Record<string, unknown> | null;
}
