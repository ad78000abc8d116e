import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { type Edge, edgeType } from '../../database/paging/edge.type.ts';
import { PageInfo } from '../../database/paging/page-info.type.ts';

@ObjectType({ description: 'Something that an operator did, or tried to do.', simpleResolvers: true })
export class AuditEntry {
  @Field(() => ID, { description: 'Number of the entry, rising.' })
  id!: string;

  @Field(() => Date, { description: 'When it began.' })
  at!: Date;

  @Field(() => String, { description: '`graphql`, or `command line` for the admin command on the server itself.' })
  via!: 'graphql' | 'command line';

  @Field(() => ID, { nullable: true, description: 'Account of the operator; null on the command line.' })
  accountId!: string | null;

  @Field(() => String, { nullable: true, description: 'E-mail address of that account.' })
  accountEmail!: string | null;

  @Field(() => ID, { nullable: true, description: 'Key that the operator used; `login:…` for a session.' })
  keyId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the key; null for one without, and for a login.' })
  keyLabel!: string | null;

  @Field(() => String, { description: 'The mutation, or the command.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'Id of what it was done to: an account, a key, an engine.' })
  subject!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What that is called: the e-mail address of an account, the name of a key; null for all else.',
  })
  subjectName!: string | null;

  @Field(() => GraphQLJSONObject, { description: 'Its arguments, without secrets.' })
  details!: Record<string, unknown>;

  @Field(() => String, {
    nullable: true,
    description: '`done`, or the code of the error; null when the process ended before it was known.',
  })
  outcome!: string | null;
}

const AuditEdge = edgeType('AuditEdge', AuditEntry);

@ObjectType({ description: 'One page of what operators did, newest first.', simpleResolvers: true })
export class AuditPage {
  @Field(() => [AuditEntry], { description: 'The entries.' })
  nodes!: AuditEntry[];

  @Field(() => [AuditEdge], { description: 'The same, each with its cursor.' })
  edges!: Edge<AuditEntry>[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
