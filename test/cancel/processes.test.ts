import { afterAll, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { says, silence } from '../house/engine-answers.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';
import { missingRedis, RedisServer } from '../house/redis.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { readSql, runSql } from '../house/sql.ts';
import { standingTransaction } from '../house/standing-transaction.ts';
import { until } from '../house/until.ts';

const missing = missingRedis();
if (missing) console.log(`skipped with Redis: ${missing}`);

/** A process that is asked to cancel, and one that works; without Redis both are of the kind that does everything. */
async function openTwo(redisUrl: string | null) {
  const databaseUrl = await createDatabase();
  const engines = await ScriptedEngines.start();
  const admin = await openHouseAdmin(databaseUrl);
  const env: Record<string, string> = redisUrl === null ? {} : { REDIS_URL: redisUrl };
  const options = {
    databaseUrl,
    engines: [engines.entry('reader', { concurrency: 4 })],
    env,
  };
  const [roleOfOne, roleOfOther] = redisUrl === null ? (['main', 'main'] as const) : (['api', 'worker'] as const);
  const api = await startProduct({ ...options, role: roleOfOne });
  const worker = await startProduct({ ...options, role: roleOfOther });
  const { accountId, apiKey } = await makeAccount(admin);
  return {
    databaseUrl,
    engines,
    admin,
    worker,
    accountId,
    sender: new Caller((redisUrl === null ? worker : api).url, apiKey),
    caller: new Caller(api.url, apiKey),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
      await admin[Symbol.asyncDispose]();
      await engines[Symbol.asyncDispose]();
    },
  };
}

type Two = Awaited<ReturnType<typeof openTwo>>;

async function stopsAcross({ engines, caller, sender }: Two): Promise<void> {
  engines.reset();
  engines.script('reader', silence);
  const sent = await sender.ocr(await pictureBody('reader', { mode: 'async' }));
  const [call] = await engines.called('reader');
  const reply = await caller.call('POST', `/v1/ocr/${sent.body.request_id}/cancel`);
  expect(reply.body).toMatchObject({ status: 'failed', cost_debited: 0.004 });
  expect(reply.status).toBe(200);
  await until('the call is closed', () => call?.aborted);
}

describe('without Redis', async () => {
  const two = await openTwo(null);
  afterAll(() => two[Symbol.asyncDispose]());

  it('a cancellation at one process stops the work at the other', async () => {
    await stopsAcross(two);
  });

  it('what does not end within its patience is 202, with where to ask again', async () => {
    const { engines, caller, sender, databaseUrl, accountId } = two;
    engines.reset();
    engines.script('reader', silence);
    const { request_id: id } = (await sender.ocr(await pictureBody('reader', { mode: 'async' }))).body;
    const [call] = await engines.called('reader');
    const wallet = `select 1 from wallet where account_id = '${accountId}' for update`;
    {
      await using _locked = await standingTransaction(databaseUrl, wallet); // nothing ends without it
      const reply = await caller.call('POST', `/v1/ocr/${id}/cancel`);
      expect(reply.status).toBe(202);
      expect(reply.body).toMatchObject({
        request_id: id,
        status: 'processing',
        poll_url: `/v1/ocr/${id}`,
        extracted_text: null,
        cost_debited: 0,
        cancel_requested_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      });
      expect(reply.body).not.toMatchObject({ cancelled_at: expect.any(String) });
      expect(call?.aborted).toBe(true);
    }
    const path = `/v1/ocr/${id}`;
    await until('it has ended', async () => (await caller.get(path)).body.status === 'failed');
  });

  it('ends what its process left behind, without another call', async () => {
    const { engines, caller, sender, databaseUrl, worker, admin, accountId } = two;
    engines.reset();
    engines.script('reader', silence);
    const { held_usd: before } = await admin.showAccount(accountId);
    const sent = await sender.ocr(await pictureBody('reader', { mode: 'async' }));
    await engines.called('reader');
    const id = sent.body.request_id;
    // The process dies before it can hear of the mark.
    worker.signal('SIGSTOP');
    const cancelling = caller.call('POST', `/v1/ocr/${id}/cancel`);
    await until('the mark is there', async () => {
      const rows = await readSql(
        databaseUrl,
        `select 1 from ocr_request where id = '${id}' and cancel_requested_at is not null`,
      );
      return rows.length === 1;
    });
    await worker.kill();
    engines.script('reader', says('never asked for'));
    expect((await cancelling).status).toBeLessThanOrEqual(202);
    const { body } = await until('it has ended', async () => {
      const reply = await caller.get<{ status: string; cancelled_at?: string; cost_debited: number }>(`/v1/ocr/${id}`);
      return ['failed', 'rejected'].includes(reply.body.status) && reply;
    });
    expect(body.cancelled_at).toBeDefined();
    expect(body.cost_debited).toBe(0);
    expect(engines.calls('reader')).toHaveLength(1);
    expect(await admin.showAccount(accountId)).toMatchObject({ held_usd: before });
  });
});

describe('with Redis', async () => {
  if (missing) {
    it.skip(`cannot be tested: ${missing}`, () => undefined);
    return;
  }
  const redis = await RedisServer.start();
  const two = await openTwo(redis.url);
  afterAll(async () => {
    await two[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  it('a cancellation at one process stops the work at the other, which is told and does not have to look', async () => {
    await stopsAcross(two);
    // Nothing is left of the mark: the heartbeat, and whoever claims the request, would never see it.
    await runSql(
      two.databaseUrl,
      `create function without_mark() returns trigger language plpgsql as
         $$ begin new.cancel_requested_at := null; return new; end $$;
       create trigger without_mark before update on ocr_request for each row execute function without_mark()`,
    );
    await stopsAcross(two);
    await runSql(two.databaseUrl, 'drop trigger without_mark on ocr_request; drop function without_mark');
  });

  it('and does so while Redis is away', async () => {
    await redis.kill();
    await stopsAcross(two);
  });
});
