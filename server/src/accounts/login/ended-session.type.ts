import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A session that has ended.', simpleResolvers: true })
export class EndedSession {
  @Field(() => String, {
    nullable: true,
    description:
      'Where the browser goes to end the login at the identity provider, too; null where there is none to end.',
  })
  providerUrl!: string | null;
}
