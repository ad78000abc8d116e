import { Field, ObjectType } from 'type-graphql';
import { PageInfo } from '../database/page-info.type.ts';
import { Account } from './account.ts';

@ObjectType({ description: 'One page of accounts, by e-mail address.', simpleResolvers: true })
export class AccountPage {
  @Field(() => [Account], { description: 'The accounts.' })
  nodes!: Account[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
