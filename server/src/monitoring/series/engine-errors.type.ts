import { Field, Float, ID, ObjectType } from 'type-graphql';
import { ProviderFault } from '../../engines/model/provider-fault.ts';
import { AttemptOutcome } from '../../requests/model/attempt.ts';

@ObjectType({ description: 'Runs on an engine that ended alike, none of them well.', simpleResolvers: true })
export class EngineEnding {
  @Field(() => AttemptOutcome, { description: 'How they ended.' })
  outcome!: AttemptOutcome;

  @Field(() => ProviderFault, {
    nullable: true,
    description: 'The fault that the provider answered with; null without.',
  })
  providerFault!: ProviderFault | null;

  @Field(() => Boolean, { description: 'Whether it counts as the engine’s error.' })
  isEngineError!: boolean;

  @Field(() => Float, { description: 'How many.' })
  runs!: number;

  @Field(() => String, { nullable: true, description: 'What was said of the latest of them.' })
  lastMessage!: string | null;

  @Field(() => Date, { description: 'When the latest of them ended.' })
  lastAt!: Date;

  @Field(() => ID, { description: 'The request of the latest of them.' })
  lastRequestId!: string;
}

@ObjectType({ description: 'Why runs on an engine ended badly in the last clock hours.', simpleResolvers: true })
export class EngineErrors {
  @Field(() => Date, { description: 'Start of the first of these hours.' })
  since!: Date;

  @Field(() => Float, { description: 'Runs that were looked at, those that ended well included.' })
  runs!: number;

  @Field(() => Boolean, {
    description: 'Whether there were more runs in these hours than the newest that are looked at.',
  })
  isCut!: boolean;

  @Field(() => [EngineEnding], { description: 'The endings, the most frequent first.' })
  endings!: EngineEnding[];
}
