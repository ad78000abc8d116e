import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A session that has just begun.', simpleResolvers: true })
export class Login {
  @Field(() => ID, { description: 'The account that is logged in.' })
  accountId!: string;

  @Field(() => String, { description: 'Signed token (JWT, ES256) with which the playground calls the API.' })
  sessionToken!: string;

  @Field(() => Date, { description: 'When the session ends.' })
  expiresAt!: Date;
}
