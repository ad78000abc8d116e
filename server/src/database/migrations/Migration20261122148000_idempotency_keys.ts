import { Migration } from '@mikro-orm/migrations';

const PARTITIONS = 16;
/** Settings as in `vacuum_settings`, for each part: the whole has no rows. */
const GROWING =
  'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02';

/**
 * Idempotency keys in a table of their own: whether a key is free is decided there, so that requests can be divided by
 * their time. A trigger of `ocr_request` binds the keys that a process of the version before accepts, and another one releases
 * keys, whoever ends the request. Keys of what was there before are copied in the background
 * (`requests/upkeep/copy-keys.job.ts`).
 */
export class Migration20261122148000_idempotency_keys extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_key (
        account_id uuid not null,
        key text not null,
        request_id text not null,
        primary key (account_id, key)
      ) partition by hash (account_id)`);
    for (let n = 0; n < PARTITIONS; n++) {
      const partition = `idempotency_key_${n}`;
      this.addSql(`create table ${partition} partition of idempotency_key
                   for values with (modulus ${PARTITIONS}, remainder ${n}) with (${GROWING})`);
    }
    this.addSql(`
      create table idempotency_mark (
        only_one boolean primary key default true,
        copied_to text not null default '',
        complete boolean not null,
        constraint idempotency_mark_only_one_check check (only_one)
      )`);
    this.addSql('insert into idempotency_mark (complete) select not exists (select from ocr_request)');

    // A request whose key another one has is left out, as `on conflict do nothing` leaves it out.
    this.addSql(`
      create function bind_idempotency_key() returns trigger language plpgsql as $$
      begin
        insert into idempotency_key (account_id, key, request_id)
        values (new.account_id, new.idempotency_key, new.id) on conflict do nothing;
        if not found then return null; end if;
        return new;
      end $$`);
    this.addSql(`create trigger ocr_request_key_bound before insert on ocr_request for each row
                 when (new.idempotency_key is not null and current_setting('ocr_router.binds_keys', true) is distinct from 'on')
                 execute function bind_idempotency_key()`);
    this.addSql(`
      create function release_idempotency_key() returns trigger language plpgsql as $$
      begin
        delete from idempotency_key
        where account_id = old.account_id and key = old.idempotency_key and request_id = old.id;
        return null;
      end $$`);
    this.addSql(`create trigger ocr_request_key_released after update of idempotency_key on ocr_request for each row
                 when (old.idempotency_key is not null and new.idempotency_key is null)
                 execute function release_idempotency_key()`);
  }
}
