import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'When a version of the service first ran after another one.', simpleResolvers: true })
export class Deployment {
  @Field(() => String, { description: 'Version of the service.' })
  version!: string;

  @Field(() => Date, { description: 'When the first process with it began.' })
  beganAt!: Date;
}
