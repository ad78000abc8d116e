import pg from 'pg';
import copy from 'pg-copy-streams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { ballast, leftBehindMb } from '../../../test/house/young-garbage.ts';
import { isAnswerLost } from '../../src/database/outage.ts';
import { openPool, query } from '../../src/database/pool.ts';
import { clientWithin } from '../../src/database/sockets/answer-limit.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const LIMIT_MS = 200;
const ECHO = { name: 'echo', text: 'select $1::json as echo' };
let url: string;

beforeAll(async () => {
  url = await createDatabase();
});

it.each(['statement', 'values', 'callback'])('answers a %s as node-postgres does', async (how) => {
  const client = await connect();
  const asked = {
    statement: () => client.query({ text: 'select $1::int as one', values: [1] }),
    values: () => client.query('select $1::int as one', [1]),
    callback: () =>
      new Promise<pg.QueryResult>((resolve, reject) => {
        client.query('select $1::int as one', [1], (error, result) => (error ? reject(error) : resolve(result)));
      }),
  };
  expect((await asked[how as keyof typeof asked]()).rows).toEqual([{ one: 1 }]);
  await expect(client.query('select nothing')).rejects.toThrow('does not exist');
  await client.end();
});

it('gives a statement up that is not answered in time', async () => {
  const client = await connect();
  const error = await client.query('select pg_sleep(20)').catch((caught: unknown) => caught);
  expect(isAnswerLost(error)).toBe(true);
  await client.end();
});

it('gives a stream up that does not come in time', async () => {
  const client = await connect();
  const rows = client.query(copy.to('copy (select pg_sleep(5)) to stdout'));
  await expect(rows.toArray()).rejects.toThrow('Query read timeout');
  await client.end();
});

it('leaves nothing behind that outlives a collection in passing', async () => {
  const pool = openPool(url, { max: 2, log: makeLog('silent') });
  const left = await leftBehindMb(() => query(pool, ECHO, [JSON.stringify(ballast())]));
  await pool.end();
  expect(left).toBeLessThan(4);
});

const opened: pg.Client[] = [];
afterAll(async () => {
  for (const client of opened) await client.end().catch(() => undefined); // ended already, most of them
});

async function connect(): Promise<pg.Client> {
  const Limited = clientWithin(LIMIT_MS);
  const client = new Limited({ connectionString: url });
  client.on('error', () => undefined);
  opened.push(client);
  await client.connect();
  return client;
}
