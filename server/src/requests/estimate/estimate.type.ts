import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { Obstacle } from '../../engines/model/obstacle.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

@ObjectType({ description: 'Why an engine takes no requests now.', simpleResolvers: true })
export class EstimateObstacle {
  @Field(() => Obstacle, { description: 'What kind of obstacle it is.' })
  code!: Obstacle;

  @Field(() => String, { description: 'The same in words.' })
  message!: string;
}

@ObjectType({ description: 'Another engine that takes the document, at its own price.', simpleResolvers: true })
export class EstimateAlternative {
  @Field(() => ID, { description: 'Engine id.' })
  engine!: string;

  @Field(() => UsdScalar, { description: 'What it would reserve for the same pages.' })
  reserved!: NanoUsd;

  @Field(() => Int, {
    nullable: true,
    description: 'Pages that it can read, of an engine that reads a PDF’s own text; null for those that read pictures.',
  })
  readsPages!: number | null;

  @Field(() => Float, { nullable: true, description: 'Its score on the hard benchmark, where it was measured.' })
  hardScore!: number | null;
}

@ObjectType({
  description: 'What a request would cost: its document was opened, and nothing sent.',
  simpleResolvers: true,
})
export class Estimate {
  @Field(() => ID, { description: 'Engine id.' })
  engine!: string;

  @Field(() => Int, { description: 'Pages of the document.' })
  pagesTotal!: number;

  @Field(() => Int, { description: 'Pages that would be read.' })
  pages!: number;

  @Field(() => Int, {
    description: 'Pages that would be billed: those that were asked for, whatever the document has.',
  })
  billedPages!: number;

  @Field(() => UsdScalar, { description: 'What acceptance would reserve.' })
  reserved!: NanoUsd;

  @Field(() => UsdScalar, {
    nullable: true,
    description: 'The request is never charged more than this; null where no such amount is known.',
  })
  worstCase!: NanoUsd | null;

  @Field(() => Boolean, { description: 'Whether the charge follows the tokens that an engine uses.' })
  tokenPriced!: boolean;

  @Field(() => Int, { nullable: true, description: 'Pages of the PDF with text of their own; null where not counted.' })
  textLayerPages!: number | null;

  @Field(() => Int, { nullable: true, description: 'Pages of the PDF that are pictures; null where not counted.' })
  scannedPages!: number | null;

  @Field(() => Boolean, { description: 'Whether it would be accepted with what the account has now.' })
  covered!: boolean;

  @Field(() => UsdScalar, { description: 'What the account can spend now.' })
  balance!: NanoUsd;

  @Field(() => UsdScalar, {
    nullable: true,
    description: 'What is left of the key’s spending limit; null where it has none.',
  })
  budgetRemaining!: NanoUsd | null;

  @Field(() => EstimateObstacle, { nullable: true, description: 'Why the engine would not take it now.' })
  obstacle!: EstimateObstacle | null;

  @Field(() => [EstimateAlternative], { description: 'Engines that take the document now, cheapest first, 5 at most.' })
  alternatives!: EstimateAlternative[];

  @Field(() => [String], { description: 'What is odd about the request or its document.' })
  warnings!: string[];
}
