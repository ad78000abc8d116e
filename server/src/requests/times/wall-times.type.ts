import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'Where the time of a request’s (last) run went. Its pages are read side by side: no moment is counted twice, and the ' +
    'parts add up to at most the time of the run.',
  simpleResolvers: true,
})
export class WallTimes {
  @Field(() => Int, { description: 'Milliseconds in which an engine was at work.' })
  engineMs!: number;

  @Field(() => Int, {
    description:
      'Milliseconds in which pictures of pages were made, or pages cut out of a PDF, and no engine was at work.',
  })
  renderMs!: number;

  @Field(() => Int, { description: 'Milliseconds in which its pages did nothing but wait for a place at the engine.' })
  placeMs!: number;
}
