import { type Pool, query } from './pool.ts';

/** Whether a mark is complete. One that a dump brought from another cluster says nothing: what it counts is counted again. */
const IS_COMPLETE = 'complete and recorded_before <= pg_snapshot_xmax(pg_current_snapshot())';

const READY = {
  name: 'usage-ready',
  text: `select (select ${IS_COMPLETE} from usage_mark) as usage, (select ${IS_COMPLETE} from money_mark) as money`,
};

/**
 * Whether the rows of the time before there were roll-ups are counted: reports read the rows themselves until then. Once they are
 * counted it stays so, and is not asked again.
 */
export class ReportsReady {
  readonly #pool: Pool;
  #isReady = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async look(): Promise<boolean> {
    if (this.#isReady) return true;
    const [row] = await query<{ usage: boolean; money: boolean }>(this.#pool, READY, []);
    this.#isReady = row?.usage === true && row.money;
    return this.#isReady;
  }
}
