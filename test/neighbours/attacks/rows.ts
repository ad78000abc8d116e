import { withClient } from '../../house/with-client.ts';
import type { Attack } from '../attack.ts';
import { aborted, persist } from '../persist.ts';
import { PIXEL_INPUT, post } from './post.ts';

export const tinyConfidence: Attack = {
  name: 'readings with a confidence that no column holds',
  finding: 'A8',
  run: ({ funded }, signal) =>
    persist(signal, { width: 2, pauseMs: 20 }, () => post(funded, { engine: 'tiny', input: PIXEL_INPUT }, signal)),
};

/** Another transaction holds the row of the attacker's wallet, as an operator's forgotten `psql` does. */
export const lockedWallet: Attack = {
  name: 'a wallet whose row stays locked',
  finding: 'B2',
  run: async ({ databaseUrl, funded }, signal) => {
    await withClient(databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from wallet where account_id = $1 for update', [funded.accountId]);
      await persist(signal, { width: 4, pauseMs: 10 }, () =>
        post(funded, { engine: 'instant', input: PIXEL_INPUT }, AbortSignal.any([signal, AbortSignal.timeout(2000)])),
      );
      await client.query('rollback');
    });
  },
};

export const missingWallet: Attack = {
  name: 'an account whose wallet was never made',
  finding: 'A3',
  run: async ({ databaseUrl, penniless }, signal) => {
    await withClient(databaseUrl, async (client) => {
      const { rows } = await client.query('delete from wallet where account_id = $1 returning *', [
        penniless.accountId,
      ]);
      await persist(signal, { pauseMs: 20 }, () =>
        post(penniless, { engine: 'instant', input: PIXEL_INPUT, mode: 'async' }, signal),
      );
      if (rows.length > 0) await client.query('insert into wallet (account_id) values ($1)', [penniless.accountId]);
    });
  },
};

/** A snapshot that is never let go of, as a backup or a forgotten report holds one. */
export const oldSnapshot: Attack = {
  name: 'a snapshot that stays open',
  finding: 'C3',
  run: ({ databaseUrl }, signal) =>
    withClient(databaseUrl, async (client) => {
      await client.query('begin isolation level repeatable read');
      await client.query('select count(*) from account');
      await aborted(signal);
      await client.query('rollback');
    }),
};

/** Shorter than what the neighbour sends meanwhile takes to fill its share of the queue: acceptance is one statement at a time. */
const SILENT_MS = 2000;

/** Server processes that stand still, one after the other: the service's connection to each stays open and says nothing. */
export const silentConnections: Attack = {
  name: 'connections to the database that fall silent for two seconds',
  finding: 'B2b',
  run: ({ databaseUrl }, signal) =>
    withClient(databaseUrl, (client) =>
      persist(signal, { pauseMs: 500 }, async () => {
        // The one that was used last is used next.
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and state = 'idle'
             and query ~ 'ocr_request|api_key' order by state_change desc limit 1`,
        );
        for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
        await aborted(AbortSignal.any([signal, AbortSignal.timeout(SILENT_MS)]));
        for (const { pid } of rows) process.kill(pid, 'SIGCONT');
      }),
    ),
};
