import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A login to the dashboard.', simpleResolvers: true })
@Entity({ tableName: 'session' })
export class Session {
  @Field(() => ID, { description: 'Session id, `ses_…`.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  /** SHA-256 of the cookie's value. */
  @Property({ type: 'blob' })
  hash!: Buffer;

  @Field(() => String, { nullable: true, description: 'The browser, as it calls itself.' })
  @Property({ type: 'text', nullable: true })
  userAgent: string | null = null;

  @Field(() => Date, { description: 'When it began.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Last use, to the minute.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  lastUsedAt!: Date;

  @Field(() => Date, { description: 'When it ends.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  expiresAt!: Date;

  /** The identity provider where it began; null for a login by password. */
  @Property({ type: 'text', nullable: true })
  issuer: string | null = null;

  /** What tells the provider whose login ends with it. */
  @Property({ type: 'text', nullable: true })
  logoutHint: string | null = null;

  /** Of the caller's own session, where it was loaded for a caller. */
  @Field(() => Boolean, { description: 'Whether it is the session that asks.' })
  @Property({ persist: false, type: 'boolean' })
  current = false;

  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  revokedAt: Date | null = null;
}
