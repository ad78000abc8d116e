import { Field, Float, ID, Int, ObjectType } from 'type-graphql';

@ObjectType('RefusedCall', {
  description: 'A call that was answered with an error before there was a request of it; kept for three days.',
  simpleResolvers: true,
})
export class RefusedCallType {
  @Field(() => ID, { description: 'What the answer had in `X-Request-Id`: `req_…`.' })
  requestId!: string;

  @Field(() => Date, { description: 'When it was answered.' })
  at!: Date;

  @Field(() => Int, { description: 'HTTP status.' })
  status!: number;

  @Field(() => String, { description: 'Error code.' })
  code!: string;

  @Field(() => String, { description: 'What the caller was told.' })
  message!: string;

  @Field(() => String, { description: 'HTTP method.' })
  method!: string;

  @Field(() => String, { description: 'Path, without its query.' })
  path!: string;

  @Field(() => ID, { nullable: true, description: 'Account of the caller; null where that was not known.' })
  accountId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Key of the caller; null where that was not known.' })
  keyId!: string | null;

  @Field(() => String, { nullable: true, description: 'Engine that it asked for; null where no body was read.' })
  engine!: string | null;
}

@ObjectType({ description: 'Calls that were refused alike.', simpleResolvers: true })
export class RefusalCounts {
  @Field(() => String, { nullable: true, description: 'Engine that they asked for; null where no body was read.' })
  engine!: string | null;

  @Field(() => ID, { nullable: true, description: 'Account; null where that was not known.' })
  accountId!: string | null;

  @Field(() => String, { nullable: true, description: 'E-mail address of the account; null where that is not known.' })
  accountEmail!: string | null;

  @Field(() => ID, { nullable: true, description: 'Key; null where that was not known.' })
  keyId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the key; null for one without, and for a login.' })
  keyLabel!: string | null;

  @Field(() => Int, { description: 'HTTP status.' })
  status!: number;

  @Field(() => String, { description: 'Error code.' })
  code!: string;

  @Field(() => Float, { description: 'How many calls.' })
  calls!: number;
}
