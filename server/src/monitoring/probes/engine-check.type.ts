import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One health check of an engine.', simpleResolvers: true })
export class EngineCheck {
  @Field(() => Date, { description: 'When it was made.' })
  at!: Date;

  @Field(() => Boolean, { description: 'Whether the engine did what it should.' })
  healthy!: boolean;

  @Field(() => Int, { nullable: true, description: 'How long it took, in milliseconds.' })
  latencyMs!: number | null;

  @Field(() => String, { nullable: true, description: 'What was wrong; null when nothing was.' })
  detail!: string | null;
}
