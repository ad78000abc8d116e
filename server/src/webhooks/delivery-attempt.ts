import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { DeliveryStatus } from './delivery.ts';

/** One line of the delivery log: an attempt that ended, or the decision to send nothing (attempt 0). */
@Entity({ tableName: 'webhook_attempt' })
export class DeliveryAttempt {
  @PrimaryKey({ type: 'bigint' })
  id!: bigint;

  @Property({ type: 'text' })
  deliveryId!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  @Property({ type: 'text', nullable: true })
  webhookId: string | null = null;

  @Property({ type: 'integer' })
  round!: number;

  @Property({ type: 'integer' })
  attempt!: number;

  @Property({ type: 'text' })
  status!: Exclude<DeliveryStatus, 'pending'>;

  @Property({ type: 'integer', nullable: true })
  responseCode: number | null = null;

  @Property({ type: 'integer', nullable: true })
  latencyMs: number | null = null;

  @Property({ type: 'text', nullable: true })
  error: string | null = null;

  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt!: Date;

  /** The headers that were sent, with the signature. */
  @Property({ type: 'json', nullable: true })
  headers: Readonly<Record<string, string>> | null = null;
}
