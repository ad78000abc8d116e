import { type Pool, query } from '../database/pool.ts';
import type { Deployment } from './deployment.type.ts';

const KEPT = 1000;

/** Notes a version. Processes that start at once may each write it: equal ones in a row are one when they are read. */
const BEGIN = {
  name: 'deployment-begin',
  text: `
  with gone as (delete from service_version where id <= (select max(id) from service_version) - ${KEPT})
  insert into service_version (version)
  select $1 where $1 is distinct from (select version from service_version order by id desc limit 1)`,
};

const LIST = {
  name: 'deployment-list',
  text: `
  select version, began_at as "beganAt" from (
    select id, version, began_at, lag(version) over (order by id) is distinct from version as is_new from service_version
  ) v where is_new order by id desc limit $1`,
};

/** The versions of the service that ran, in their order: the latest thousand changes. */
export class DeploymentLog {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Notes that a process of this version has begun. */
  async begin(version: string): Promise<void> {
    await query(this.#pool, BEGIN, [version]);
  }

  /** The changes of version, newest first. */
  list(most: number): Promise<Deployment[]> {
    return query<Deployment>(this.#pool, LIST, [most]);
  }
}
