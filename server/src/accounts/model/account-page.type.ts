import { Field, ObjectType } from 'type-graphql';
import { type Edge, edgeType } from '../../database/paging/edge.type.ts';
import { PageInfo } from '../../database/paging/page-info.type.ts';
import { Account } from './account.ts';

const AccountEdge = edgeType('AccountEdge', Account);

@ObjectType({ description: 'One page of accounts, by e-mail address.', simpleResolvers: true })
export class AccountPage {
  @Field(() => [Account], { description: 'The accounts.' })
  nodes!: Account[];

  @Field(() => [AccountEdge], { description: 'The same, each with its cursor.' })
  edges!: Edge<Account>[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
