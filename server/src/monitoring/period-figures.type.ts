import { Field, Int, ObjectType } from 'type-graphql';
import { WorkFigures } from './work-figures.type.ts';

@ObjectType({
  description: 'All engines and accounts together, between the starts of two clock hours.',
  simpleResolvers: true,
})
export class PeriodFigures extends WorkFigures {
  @Field(() => Date, { description: 'Start of its first hour.' })
  since!: Date;

  @Field(() => Date, { description: 'End of its last hour.' })
  until!: Date;
}

@ObjectType({
  description:
    'The last whole clock hours and as many before them. The hour that runs is in neither: both are equally long.',
  simpleResolvers: true,
})
export class PeriodComparison {
  @Field(() => Int, { description: 'Hours of each of the two.' })
  hours!: number;

  @Field(() => PeriodFigures, { description: 'The last whole hours.' })
  latest!: PeriodFigures;

  @Field(() => PeriodFigures, {
    nullable: true,
    description: 'As many hours before; null where they are longer ago than hours are kept (31 days).',
  })
  before!: PeriodFigures | null;
}
