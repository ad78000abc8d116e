import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Node } from '../database/paging/node.type.ts';

/** The events that a registration may name: `ocr.completed` receives every end, `ocr.failed` failures only. */
export const WEBHOOK_EVENTS = ['ocr.completed', 'ocr.failed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

@ObjectType({ description: 'A callback URL that an account registered.', implements: Node, simpleResolvers: true })
@Entity({ tableName: 'webhook' })
export class Webhook {
  @Field(() => ID, { description: 'Webhook id, `wh_…`.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  @Field(() => String, { description: 'The callback URL.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => String, { nullable: true, description: 'A name for people.' })
  @Property({ type: 'text', nullable: true })
  label: string | null = null;

  @Field(() => [String], { description: '`ocr.completed` receives everything, `ocr.failed` failures only.' })
  @Property({ type: 'array', columnType: 'text[]' })
  events!: WebhookEvent[];

  @Field(() => Boolean, { description: 'Whether deliveries are sent to this URL.' })
  @Property({ type: 'boolean' })
  isActive = true;

  /** The secret that signs what is sent to the URL. It is stored encrypted, because a hash could not sign. */
  @Property({ type: 'text' })
  signingSecret!: string;

  /** The former secret, which signs as well until `previousSecretUntil`, so that a receiver can change from one to the other. */
  @Property({ type: 'text', nullable: true })
  previousSecret: string | null = null;

  @Field(() => Date, {
    nullable: true,
    description: 'Until when the secret before the last rotation signs, too; null when only one signs.',
  })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  previousSecretUntil: Date | null = null;

  /** Secrets that were changed before that one and sign still, see `former-secrets.ts`. */
  @Property({ type: 'text', nullable: true })
  olderSecrets: string | null = null;

  @Field(() => Date, { description: 'When it was registered.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();

  @Field(() => String, {
    nullable: true,
    description: 'The signing secret, in the answers of `createWebhook` and `rotateWebhookSecret` only; else null.',
  })
  @Property({ persist: false, type: 'text' })
  secret: string | null = null;
}
