import { Field, ID, InputType } from 'type-graphql';
import type { RequestStatus } from '../model/request-enums.ts';

@InputType({ description: 'Which requests are listed; what is absent does not narrow the list.' })
export class RequestFilter {
  @Field(() => ID, { nullable: true, description: 'Requests of this account; other accounts for operators only.' })
  accountId?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Requests of every account; operators only.' })
  allAccounts?: boolean | null;

  @Field(() => [String], { nullable: true, description: 'Statuses, as `RequestStatus` has them.' })
  status?: RequestStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Id of the engine that has (or will have) the result.' })
  engine?: string | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Exactly these requests, as far as the caller may see them; 100 at most.',
  })
  ids?: string[] | null;

  @Field(() => ID, { nullable: true, description: 'Id of the key that they were sent with.' })
  keyId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Those that failed or were rejected, and cost something all the same.',
  })
  chargedFailures?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'The code of the error that their callers got instead of an outcome, as `errorCode` has it.',
  })
  errorCode?: string | null;

  @Field(() => String, { nullable: true, description: 'The `Idempotency-Key` that they were sent with, exactly.' })
  idempotencyKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What stands in the code or the message of their errors, large or small letters alike, or is the beginning of their ' +
      '`Idempotency-Key`; 3 to 200 characters. Texts of documents are not searched. A page looks at 100,000 requests: `searchedTo`.',
  })
  text?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A value of `DeliveryStatus`: those that have a webhook in this state.',
  })
  webhook?: string | null;

  @Field(() => String, { nullable: true, description: 'A value of `Mode`.' })
  mode?: string | null;

  @Field(() => Date, { nullable: true, description: 'Accepted at this time or later.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Accepted before this time.' })
  to?: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The `cursor` of the last event that a subscription sent: what has changed since then, of requests accepted ' +
      'within the day before it. It overlaps by some seconds, so that nothing is missed.',
  })
  changedSince?: string | null;
}
