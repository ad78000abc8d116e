import { Field, ID, ObjectType } from 'type-graphql';
import type { RequestChange } from '../../platform/messaging/request-changes.ts';
import { Mode, RequestOutcome, RequestStatus } from '../model/request-enums.ts';

@ObjectType({
  description:
    'A request has changed. Events are small and may be lost with their connection: read the rest with `request`, and ' +
    'after a reconnection what was missed with `requests(filter: {changedSince: <the last cursor>})`.',
  simpleResolvers: true,
})
export class RequestEvent implements RequestChange {
  @Field(() => ID, { description: 'Request id.' })
  requestId!: string;

  @Field(() => ID, { description: 'The account that sent it.' })
  accountId!: string;

  @Field(() => String, { description: 'Engine id.' })
  engine!: string;

  @Field(() => Mode, { description: 'Whether its caller waits for the result.' })
  mode!: string;

  @Field(() => RequestStatus, { description: 'Its status from now on, as reading the request shows it.' })
  status!: string;

  @Field(() => RequestOutcome, { description: 'Its outcome, as submitting the request shows it.' })
  outcome!: string;

  @Field(() => String, { description: 'When it changed; what `changedSince` takes.' })
  cursor!: string;
}
