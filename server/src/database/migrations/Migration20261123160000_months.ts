import { Migration } from '@mikro-orm/migrations';

/** Tables whose rows belong to requests, and which grow for ever. */
const TABLES = ['ocr_page', 'attempt', 'page_layout'];

/**
 * Pages, layouts and attempts are divided by month: by the request's id, which begins with its time. No row is copied: the table of
 * before becomes the part that takes everything, and the new one has the name. A worker then bounds that part and makes months
 * (`database/months/months.job.ts`); where there are no rows yet, this is done at once. Processes of the release before go
 * on: names and columns are the same.
 */
export class Migration20261123160000_months extends Migration {
  override up(): void {
    // A wait shorter than a request's statements have for a lock. Settlement locks the tables in this order.
    this.addSql(`set local lock_timeout = '2s'`);
    this.addSql(`lock table ${TABLES.join(', ')} in access exclusive mode`);
    for (const table of TABLES) this.#divide(table);
    this.#functions();
    this.addSql(GRANT_FUNCTIONS);
    this.addSql(DIVIDE_WHAT_IS_EMPTY);
    this.addSql('set local lock_timeout to default');
  }

  #divide(table: string): void {
    this.addSql(`alter table ${table} rename to ${table}_before`);
    this.addSql(`alter index ${table}_pkey rename to ${table}_before_pkey`);
    if (table === 'attempt') {
      for (const index of ['request_id', 'engine', 'pending']) {
        this.addSql(`alter index attempt_${index}_index rename to attempt_before_${index}_index`);
      }
    }
    this.addSql(
      `create table ${table} (like ${table}_before including all excluding indexes) partition by range (request_id)`,
    );
    if (table === 'attempt') {
      // An index of ids for each part, by which an attempt is found: each part has a primary key of its own.
      this.addSql('create index attempt_request_id_index on attempt (request_id)');
      this.addSql(`create index attempt_engine_index on attempt (engine, recorded_xid)
                   where outcome is not null and outcome not in ('unreadable', 'lost')`);
      this.addSql(`create index attempt_pending_index on attempt (started_at) where billing = 'pending'`);
    } else this.addSql(`alter table ${table} add primary key (request_id, number)`);
    this.addSql(`
      do $$ declare given record; begin
        for given in
          select case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee, a.privilege_type as what
          from pg_class c, aclexplode(c.relacl) a where c.oid = '${table}_before'::regclass and a.grantee <> c.relowner
        loop
          execute format('grant %s on ${table} to %s', given.what, given.grantee);
        end loop;
      end $$`);
    this.addSql(`alter table ${table} attach partition ${table}_before default`);
  }

  #functions(): void {
    for (const text of [LOWEST_ID, DEFAULT_PART, DIVIDED_UNTIL, MAKE_PART, MAKE_MONTH, CLOSE_FORMER]) this.addSql(text);
    this.addSql(DIVIDE);
    this.addSql(STATE);
    // A function that runs as the owner of the tables must find nothing but what is meant.
    this.addSql(`
      do $$ declare name text; begin
        foreach name in array array['divide_requests()', 'request_parts()'] loop
          execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
        end loop;
        foreach name in array array['divide_requests()', 'default_part(text)', 'divided_until(text)', 'make_part(text, text, text)',
          'make_month(text, date)', 'close_former_part(text)'] loop
          execute format('revoke execute on function %s from public', name);
        end loop;
      end $$`);
  }
}

/** The same as `lowestId` of the program. */
const LOWEST_ID = `
  create function lowest_request_id(moment timestamptz) returns text language sql stable strict as $$
    select 'ocr_' || string_agg(
        substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((t.ms >> (5 * d.place)) & 31)::int + 1, 1), '' order by d.place desc)
      || repeat('0', 16)
    from (select floor(extract(epoch from moment) * 1000)::bigint as ms) t, generate_series(0, 9) as d(place)
  $$`;

/** The part for rows that have no month's part. */
const DEFAULT_PART = `
  create function default_part(whole text) returns text language sql stable as $$
    select c.relname::text from pg_partitioned_table p join pg_class c on c.oid = p.partdefid where p.partrelid = whole::regclass
  $$`;

/** The id from which on there is no part but the default one. */
const DIVIDED_UNTIL = `
  create function divided_until(whole text) returns text language sql stable as $$
    select coalesce(max(substring(pg_get_expr(c.relpartbound, c.oid) from ' TO [(]''([^'']*)''[)]') collate "C"), '')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = whole::regclass
  $$`;

/** An empty table that can become a part, with the settings of another one. */
const MAKE_PART = `
  create function make_part(whole text, part text, model text) returns void language plpgsql as $$
  declare settings text;
  begin
    select 'with (' || string_agg(format('%s = %L', split_part(o, '=', 1), split_part(o, '=', 2)), ', ') || ')' into settings
    from (
      select unnest(c.reloptions) as o from pg_class c where c.oid = model::regclass
      union all
      select 'toast.' || unnest(t.reloptions) from pg_class c join pg_class t on t.oid = c.reltoastrelid
      where c.oid = model::regclass
    ) options;
    execute format('create table %I (like %I including all excluding indexes) %s', part, whole, settings);
    if whole = 'attempt' then execute format('alter table %I add primary key (id)', part); end if;
  end $$`;

/**
 * Attaches a month, with the rows that came before it was made. The default part is locked for that: it is empty as a rule;
 * where it is large, the month is left out, and its rows stay where they are found as well.
 */
const MAKE_MONTH = `
  create function make_month(whole text, month date) returns boolean language plpgsql as $$
  declare
    part text := whole || '_' || to_char(month, 'YYYYMM');
    rest text := default_part(whole);
    low text := lowest_request_id(month::timestamp at time zone 'UTC');
    high text := lowest_request_id((month + interval '1 month') at time zone 'UTC');
    strays bigint;
  begin
    if low < divided_until(whole) collate "C" or to_regclass(quote_ident(part)) is not null then return false; end if;
    execute format('select count(*) from (select from %I where request_id >= %L and request_id < %L limit 10001) r',
      rest, low, high) into strays;
    if strays > 10000 or pg_relation_size(rest::regclass) > 64 * 1024 * 1024 then return false; end if;
    perform make_part(whole, part, rest);
    execute format('lock table only %I in share update exclusive mode', whole);
    execute format('lock table %I in access exclusive mode', rest);
    execute format('with moved as (delete from %I where request_id >= %L and request_id < %L returning *)
      insert into %I select * from moved', rest, low, high, part);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', whole, part, low, high);
    return true;
  end $$`;

/**
 * Bounds the former table, one step in each call, to make way for months. First comes a check that is not valid yet, which takes
 * a moment; then its validation, which reads the table while everybody works; then the exchange, which need not look at any row.
 * Where the bound's month comes near before that is done, the check is removed: it would refuse rows.
 */
const CLOSE_FORMER = `
  create function close_former_part(whole text) returns text language plpgsql as $$
  declare
    former text := whole || '_before';
    bounded text := whole || '_before_bound';
    bound text;
    is_valid boolean;
    is_empty boolean;
    is_beyond boolean;
    month timestamp := date_trunc('month', now() at time zone 'UTC');
  begin
    if default_part(whole) is distinct from former then return null; end if;
    select substring(pg_get_constraintdef(k.oid) from 'ocr_[0-9A-Z]{26}'), k.convalidated into bound, is_valid
    from pg_constraint k where k.conrelid = former::regclass and k.conname = bounded;
    if bound is null then
      execute format('select not exists (select from %I)', former) into is_empty;
      if not is_empty then month := month + interval '3 months'; end if;
      loop
        bound := lowest_request_id(month at time zone 'UTC');
        execute format('select exists (select from %I where request_id >= %L)', former, bound) into is_beyond;
        exit when not is_beyond;
        month := month + interval '1 month';
        if month > now() at time zone 'UTC' + interval '2 years' then
          raise exception '% has rows of requests of the far future', whole;
        end if;
      end loop;
      if is_empty then execute format('lock table only %I in access exclusive mode', whole); end if;
      execute format('alter table %I add constraint %I check (request_id < %L) %s',
        former, bounded, bound, case when is_empty then '' else 'not valid' end);
      if not is_empty then return former || ' is bounded'; end if;
    elsif bound < lowest_request_id(now() + interval '20 days') collate "C" then
      execute format('alter table %I drop constraint %I', former, bounded);
      return former || ' is not bounded any more';
    elsif not is_valid then
      perform set_config('lock_timeout', '60s', true);
      execute format('alter table %I validate constraint %I', former, bounded);
      return former || ' is read';
    end if;
    execute format('alter table %I detach partition %I', whole, former);
    perform make_part(whole, whole || '_default', former);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', whole, former, bound);
    execute format('alter table %I attach partition %I default', whole, whole || '_default');
    execute format('alter table %I drop constraint %I', former, bounded);
    return former || ' ends before ' || bound;
  end $$`;

/** One step towards three months ahead of each table; null when there is nothing to do, or another process is about it. */
const DIVIDE = `
  create function divide_requests() returns text language plpgsql security definer set lock_timeout = '500ms' as $$
  declare
    whole text;
    step text;
    month date;
  begin
    if not pg_try_advisory_xact_lock(7274114) then return null; end if;
    foreach whole in array array['ocr_page', 'attempt', 'page_layout'] loop
      step := close_former_part(whole);
      if step is not null then return step; end if;
      for ahead in 0..3 loop
        month := date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead);
        if make_month(whole, month) then return whole || '_' || to_char(month, 'YYYYMM') || ' is made'; end if;
      end loop;
    end loop;
    return null;
  end $$`;

/** How far each table is: for how many months to come there are parts, and how many rows have no month (`outside`, up to 10001). */
const STATE = `
  create function request_parts() returns table (whole text, divided boolean, ahead integer, outside bigint)
  language plpgsql stable security definer as $$
  declare month timestamp := date_trunc('month', now() at time zone 'UTC');
  begin
    foreach whole in array array['ocr_page', 'attempt', 'page_layout'] loop
      divided := default_part(whole) is distinct from whole || '_before';
      ahead := 0;
      while ahead < 24 and
        lowest_request_id((month + make_interval(months => ahead + 2)) at time zone 'UTC') <= divided_until(whole) collate "C" loop
        ahead := ahead + 1;
      end loop;
      outside := 0;
      if divided then execute format('select count(*) from (select from %I limit 10001) r', default_part(whole)) into outside; end if;
      return next;
    end loop;
  end $$`;

/** Lets every role that may write attempts have the tables divided. */
const GRANT_FUNCTIONS = `
  do $$ declare grantee text; begin
    for grantee in
      select distinct r.rolname from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = 'attempt'::regclass and a.privilege_type = 'INSERT'
    loop
      execute format('grant execute on function divide_requests() to %I', grantee);
    end loop;
  end $$`;

const DIVIDE_WHAT_IS_EMPTY = `
  do $$ begin
    if not exists (select from ocr_page) and not exists (select from attempt) and not exists (select from page_layout) then
      while divide_requests() is not null loop end loop;
    end if;
  end $$`;
