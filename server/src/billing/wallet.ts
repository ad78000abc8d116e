import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { NanoUsd } from '../platform/money.ts';

/** An account's money: what it has, what of it is reserved, what it still owes. Written only by conditional statements. */
@Entity({ tableName: 'wallet' })
export class Wallet {
  @PrimaryKey({ type: 'uuid' })
  accountId!: string;

  @Property({ type: 'bigint' })
  posted: NanoUsd = 0n;

  @Property({ type: 'bigint' })
  held: NanoUsd = 0n;

  @Property({ type: 'bigint' })
  owed: NanoUsd = 0n;

  /** All that requests have cost so far. */
  @Property({ type: 'bigint' })
  spent: NanoUsd = 0n;

  /** Its owner wants to be told of a balance below it; null: never. */
  @Property({ type: 'bigint', nullable: true })
  lowThreshold: NanoUsd | null = null;

  /** Requests accepted so far, and pages processed. */
  @Property({ type: 'bigint' })
  requests = 0n;

  @Property({ type: 'bigint' })
  pages = 0n;

  /** Since when nothing is accepted on it any more: its account has ended. */
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  closedAt: Date | null = null;
}
