import { cutPage } from '../../database/paging/page-info.type.ts';
import { type Pool, query } from '../../database/pool.ts';
import { AppError, asAppError } from '../../platform/errors.ts';
import type { AuditEntry, AuditPage } from './audit.type.ts';

/** What an operator is about to do. */
export interface Act {
  readonly via: AuditEntry['via'];
  /** Null on the command line. */
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly action: string;
  /** What it is done to: an id. */
  readonly subject: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditPageWish {
  /** Only what was done to this id. */
  readonly subject: string | null;
  readonly size: number;
  /** The id of the last entry of the page before. */
  readonly after: string | null;
  /** What began at this time or later; null: at any time. */
  readonly from: Date | null;
  /** What began before this time. */
  readonly to: Date | null;
}

const BEGIN = {
  name: 'audit-begin',
  text: `insert into audit_entry (via, account_id, key_id, action, subject, details)
         values ($1, $2, $3, $4, $5, $6::jsonb) returning id`,
};

const END = { name: 'audit-end', text: 'update audit_entry set outcome = $2 where id = $1' };

/** Ids of accounts are UUIDs; of what else an act may be done to, none looks like one. */
const IS_ACCOUNT = `subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

const LISTED = `select e.id::text as id, at, via, account_id as "accountId", key_id as "keyId", action, subject, details, outcome,
           (select email from account where id = e.account_id) as "accountEmail",
           (select label from api_key where id = e.key_id) as "keyLabel",
           case when ${IS_ACCOUNT} then (select email from account where id = e.subject::uuid)
             else (select label from api_key where id = e.subject) end as "subjectName"
         from audit_entry e where e.id < $1::bigint and ($2::text is null or subject = $2)`;
const NEWEST = 'order by e.id desc limit $3';

const PAGE = { name: 'audit-page', text: `${LISTED} ${NEWEST}` };

/** By the index of times: whoever looks far back reads nothing that is newer. */
const PAGE_BETWEEN = {
  name: 'audit-page-between',
  text: `${LISTED} and at >= coalesce($4::timestamptz, '-infinity') and at < coalesce($5::timestamptz, 'infinity') ${NEWEST}`,
};

const ABOVE_ALL = '9223372036854775807';

/** Who did what as an operator. The line is written first: nothing happens without one. */
export class Audit {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async record<T>(act: Act, work: () => Promise<T> | T): Promise<T> {
    const details = JSON.stringify(act.details);
    const values = [act.via, act.accountId, act.keyId, act.action, storable(act.subject), storable(details)];
    const [row] = await query<{ id: bigint }>(this.#pool, BEGIN, values);
    if (!row) throw new Error('the audit line was not written');
    try {
      const answer = await work();
      await this.#end(row.id, 'done');
      return answer;
    } catch (error) {
      await this.#end(row.id, asAppError(error).code);
      throw error;
    }
  }

  /** Newest first. */
  async page({ subject, size, after, from, to }: AuditPageWish): Promise<AuditPage> {
    if (after !== null && !/^\d{1,18}$/.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    const values = [after ?? ABOVE_ALL, storable(subject), size + 1];
    const rows = await (from === null && to === null
      ? query<AuditEntry>(this.#pool, PAGE, values)
      : query<AuditEntry>(this.#pool, PAGE_BETWEEN, [...values, from, to]));
    return cutPage(rows, { size, after }, ({ id }) => id);
  }

  /** An act that has happened is not undone by a line that could not be ended. */
  async #end(id: bigint, outcome: string): Promise<void> {
    await query(this.#pool, END, [id, outcome]).catch(() => undefined);
  }
}

/** PostgreSQL stores no NUL; in JSON it is an escape. */
function storable<Text extends string | null>(text: Text): Text | string {
  return text === null ? text : text.replaceAll('\0', '\ufffd').replaceAll('\\u0000', '\\ufffd').toWellFormed();
}
