import { Migration } from '@mikro-orm/migrations';

/** Alerts of the server: the rules, the state of each, what they found, where alerts are sent, and what was sent. */
export class Migration20261122151000_alerts extends Migration {
  override up(): void {
    this.addSql(`create table alert_rule (
      id text primary key, kind text not null, engine text, threshold double precision, fire_after integer not null,
      recover_after integer not null, cooldown_minutes double precision not null, enabled boolean not null,
      muted_until timestamptz, created_at timestamptz not null default now()
    )`);
    this.addSql(`create table alert_setting (
      only_one boolean primary key default true, quiet_from text, quiet_to text, time_zone text, muted_until timestamptz,
      claimed_at timestamptz, checked_at timestamptz, fence bigint not null default 0,
      constraint alert_setting_only_one_check check (only_one)
    )`);
    this.addSql(`create table alert_standing (
      rule_id text not null references alert_rule (id) on delete cascade, engine text not null, bad integer not null,
      good integer not null, firing boolean not null, told boolean not null, told_at timestamptz,
      primary key (rule_id, engine)
    )`);
    this.addSql(`create table alert (
      id text primary key, rule_id text not null, kind text not null, engine text, title text not null,
      detail text not null, figure double precision, threshold double precision, began_at timestamptz not null,
      ended_at timestamptz, told_at timestamptz, end_told_at timestamptz, acknowledged_at timestamptz,
      acknowledged_by uuid, note text
    )`);
    this.addSql(`create unique index alert_open_index on alert (rule_id, coalesce(engine, '')) where ended_at is null`);
    this.addSql('create index alert_ended_at_index on alert (ended_at)');
    this.addSql(`create table alert_channel (
      id text primary key, kind text not null, label text not null, target text not null, secret text,
      is_active boolean not null, created_at timestamptz not null default now()
    )`);
    this.addSql(`create table alert_delivery (
      id text primary key default 'ald_' || replace(gen_random_uuid()::text, '-', ''),
      channel_id text not null references alert_channel (id) on delete cascade, event text not null,
      changes jsonb not null, omitted integer not null default 0, status text not null default 'pending',
      attempt integer not null default 0, fence bigint not null default 0,
      next_attempt_at timestamptz not null default now(), leased_until timestamptz, response_code integer,
      latency_ms integer, error text, created_at timestamptz not null default now(), tried_at timestamptz,
      finished_at timestamptz
    )`);
    this.addSql(
      `create index alert_delivery_pending_index on alert_delivery (next_attempt_at) where status = 'pending'`,
    );
    this.addSql('create index alert_delivery_channel_id_index on alert_delivery (channel_id, created_at)');
  }
}
