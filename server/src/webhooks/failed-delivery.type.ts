import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../database/paging/page-info.type.ts';

@ObjectType({
  description: 'A webhook that its receiver has not taken, as its last attempt left it.',
  simpleResolvers: true,
})
export class FailedDelivery {
  @Field(() => ID, { description: 'Delivery id, `whd_…`.' })
  id!: string;

  @Field(() => ID, { description: 'The account that it belongs to.' })
  accountId!: string;

  @Field(() => String, { nullable: true, description: 'E-mail address of that account.' })
  accountEmail!: string | null;

  @Field(() => ID, { nullable: true, description: 'The request that it announces; null for a ping.' })
  requestId!: string | null;

  @Field(() => String, { description: 'Where it was sent, without the query of another account’s URL.' })
  url!: string;

  @Field(() => String, { description: 'Host and port of that URL.' })
  receiver!: string;

  @Field(() => Int, { description: 'From 1; rises each time it is sent again by hand.' })
  round!: number;

  @Field(() => Int, { description: 'Attempts of this round.' })
  attempt!: number;

  @Field(() => Int, { nullable: true, description: 'What the receiver answered last; null without an answer.' })
  responseCode!: number | null;

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed.' })
  error!: string | null;

  @Field(() => Date, { description: 'When its request ended.' })
  announcedAt!: Date;

  @Field(() => Date, { description: 'When it was given up.' })
  failedAt!: Date;
}

@ObjectType({ description: 'One page of failed webhooks, newest first.', simpleResolvers: true })
export class FailedDeliveryPage {
  @Field(() => [FailedDelivery], { description: 'The deliveries.' })
  nodes!: FailedDelivery[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
