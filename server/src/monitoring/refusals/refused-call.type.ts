import { Field, Float, ID, Int, ObjectType } from 'type-graphql';

/** The engine is not known for all: key, rate and size are checked before the body, on purpose. */
const ENGINE =
  'Engine that was asked for. Null where that was not known: the body was not read (401, 429 of a rate limit, 413), or names none that there is.';

@ObjectType('RefusedCall', {
  description:
    'A refused call: it was answered with an error before there was a request of it. Kept for three days; beyond 200,000 ' +
    'those of whom most are kept lose their oldest ones.',
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

  @Field(() => String, { nullable: true, description: ENGINE })
  engine!: string | null;
}

@ObjectType({ description: 'Calls that were refused alike.', simpleResolvers: true })
export class RefusalCounts {
  @Field(() => String, { nullable: true, description: ENGINE })
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
