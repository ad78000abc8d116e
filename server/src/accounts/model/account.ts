import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../../database/paging/node.type.ts';
import { enumType } from '../../platform/enum-type.ts';

export const Tier = enumType('Tier', 'How many requests a minute each key of an account may make.', {
  free: '60 a minute.',
  pro: '300 a minute.',
  scale: '1200 a minute.',
  unlimited: 'As many as it likes.',
});
export type Tier = keyof typeof Tier;

/** Requests a minute that a key of the account may make. */
export const TIERS = { free: 60, pro: 300, scale: 1200, unlimited: 1_000_000 } as const satisfies Record<Tier, number>;

@ObjectType({ description: 'Someone who sends documents and pays for them.', implements: Node, simpleResolvers: true })
@Entity({ tableName: 'account' })
export class Account {
  @Field(() => ID, { description: 'Account id, a UUID.' })
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'E-mail address, unique without regard to case.' })
  @Property({ type: 'text' })
  email!: string;

  /** Whether it is known to be the owner's: the operator or an identity provider says so, or the owner has shown it. */
  @Property({ type: 'boolean' })
  emailVerified = false;

  /** scrypt, as `scrypt$N$r$p$salt$hash`; null when the account has no password. */
  @Property({ type: 'text', nullable: true })
  passwordHash: string | null = null;

  @Field(() => Tier, { description: 'Rate-limit tier.' })
  @Property({ type: 'text' })
  tier: Tier = 'free';

  @Field(() => Boolean, { description: 'Whether texts of finished requests are kept for reading again.' })
  @Property({ type: 'boolean' })
  history = true;

  /** The last time at which history was off: texts of requests from before are neither kept nor shown. */
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  historyOffAt: Date | null = null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many days texts of finished requests are kept, where they are kept; null keeps them for ever.',
  })
  @Property({ type: 'integer', nullable: true })
  textDays: number | null = null;

  /** When it came to its end: what is left of it is what the books need. */
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  deletedAt: Date | null = null;

  @Field(() => Boolean, { description: 'Whether it was made by `demo seed`: its traffic is invented.' })
  @Property({ type: 'boolean' })
  demo = false;

  /** Signs webhooks to URLs that are no registration of the account. As it is stored: `AccountStore` opens it. */
  @Property({ type: 'text' })
  signingSecret!: string;

  @Field(() => Date, { description: 'When the account was made.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();
}
