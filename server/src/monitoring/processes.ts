import { type Pool, query } from '../database/pool.ts';

const BEAT = {
  name: 'process-beat',
  text: `with gone as (delete from worker_process where seen_at < now() - interval '1 day')
         insert into worker_process as p (owner, role, version, started_at) values ($1, $2, $3, $4)
         on conflict (owner) do update set seen_at = now()`,
};

const LEAVE = { name: 'process-leave', text: 'delete from worker_process where owner = $1' };

/** A process that works, as it describes itself. */
export interface WorkingProcess {
  /** Its name in leases. */
  readonly owner: string;
  readonly role: string;
  readonly version: string;
  readonly startedAt: Date;
}

/** The processes that work, and when each was last heard of. */
export class ProcessStore {
  readonly #pool: Pool;
  readonly #self: WorkingProcess;

  constructor(pool: Pool, self: WorkingProcess) {
    this.#pool = pool;
    this.#self = self;
  }

  async beat(): Promise<void> {
    const { owner, role, version, startedAt } = this.#self;
    await query(this.#pool, BEAT, [owner, role, version, startedAt]);
  }

  /** Deletes the row at an orderly end: a process without one has not died. */
  async leave(): Promise<void> {
    await query(this.#pool, LEAVE, [this.#self.owner]);
  }
}
