import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Node } from '../../database/paging/node.type.ts';
import type { Scope } from './scopes.ts';

@ObjectType({
  description: 'A bearer key of an account. The key itself is shown once, when it is made.',
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: 'api_key' })
export class ApiKey {
  @Field(() => ID, { description: 'Key id, `key_…`.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  @Field(() => String, { nullable: true, description: 'The owner’s name for the key.' })
  @Property({ type: 'text', nullable: true })
  label: string | null = null;

  @Field(() => String, { description: 'The first characters of the key, to tell keys apart.' })
  @Property({ type: 'text' })
  prefix!: string;

  /** SHA-256 of the whole key. */
  @Property({ type: 'blob' })
  hash!: Buffer;

  @Field(() => [String], { description: 'Scopes: `ocr:write`, `ocr:read`, `usage:read`, `operator`.' })
  @Property({ type: 'array', columnType: 'text[]' })
  scopes!: Scope[];

  @Field(() => Date, { description: 'When the key was made.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();

  @Field(() => Date, { nullable: true, description: 'Last use, to the minute.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: 'When the key was revoked; it is refused from then on.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  revokedAt: Date | null = null;
}
