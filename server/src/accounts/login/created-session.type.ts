import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A session that an operator opened for an account.', simpleResolvers: true })
export class CreatedSession {
  @Field(() => String, { description: 'Signed token (JWT, ES256) for the API, valid for an hour.' })
  sessionToken!: string;

  @Field(() => String, { description: 'The dashboard’s cookie, as `name=value`: shown here and never again.' })
  cookie!: string;

  @Field(() => Date, { description: 'When the session ends.' })
  expiresAt!: Date;
}
