import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { cutsShort, says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { ask } from '../house/graphql.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { type ProductProcess, startProduct } from '../house/product.ts';
import { missingRedis, RedisServer } from '../house/redis.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { socketOf } from '../house/socket.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { wordsOf } from '../house/word-boxes.ts';

const missing = missingRedis();
if (missing) console.log(`skipped: ${missing}`);

describe('several processes over PostgreSQL and Redis', async () => {
  if (missing) {
    it.skip(`cannot be tested: ${missing}`, () => undefined);
    return;
  }
  const databaseUrl = await createDatabase();
  const redis = await RedisServer.start();
  const engines = await ScriptedEngines.start();
  const admin = await openHouseAdmin(databaseUrl);
  const options = {
    databaseUrl,
    engines: [engines.entry('reader', { concurrency: 4 })],
    env: { REDIS_URL: redis.url },
  };
  const apis = await Promise.all([1, 2].map(() => startProduct({ ...options, role: 'api' as const })));
  const workers = await Promise.all([1, 2].map(() => startProduct({ ...options, role: 'worker' as const })));
  const [api, otherApi] = apis as [ProductProcess, ProductProcess]; // two were started
  afterAll(async () => {
    await Promise.all([...apis, ...workers].map((product) => product[Symbol.asyncDispose]()));
    await admin[Symbol.asyncDispose]();
    await engines[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });
  beforeEach(() => engines.reset());

  async function newCaller(wish: Parameters<typeof makeAccount>[1] = {}) {
    const { accountId, apiKey } = await makeAccount(admin, wish);
    return { accountId, apiKey, caller: new Caller(api.url, apiKey), other: new Caller(otherApi.url, apiKey) };
  }

  /** Where results wait that nobody keeps: well before they are too old, which is after minutes. */
  async function untilNothingPasses() {
    await until('nothing waits', async () => (await readSql(databaseUrl, 'select 1 from passing_text')).length === 0);
  }

  async function expectRead(caller: Caller, times = 3) {
    const replies = await Promise.all(Array.from({ length: times }, async () => caller.ocr(await pictureBody())));
    expect(replies.map(({ status, body }) => [status, body.status])).toEqual(replies.map(() => [200, 'succeeded']));
  }

  it.each(['someone {bad json', 'someone null', 'someone {"accountId":1}', 'nothing', ''])(
    'goes on where another program says %j on its channel',
    async (message) => {
      expect(await redis.command('publish', 'ocr-router:news', message)).toBe(apis.length + workers.length);
      const { caller, other } = await newCaller();
      await expectRead(caller, 1);
      await expectRead(other, 1);
    },
  );

  it('answers a synchronous call with what a worker read', async () => {
    const { caller } = await newCaller();
    engines.script('reader', says('read by a worker'));
    const { status, body } = await caller.ocr(await pictureBody());
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'succeeded', extracted_text: 'read by a worker', cost_debited: 0.01 });
  });

  it('tells a subscriber at one process what happens in the others', async () => {
    const { apiKey, other } = await newCaller();
    await using socket = await socketOf(api.url, apiKey);
    const mine = socket.subscribe('subscription { requestsChanged { requestId status } }');
    const marker = socket.subscribe('{ changelog { apiVersion } }');
    await until('it has begun', () => marker.completed);
    const { request_id: requestId } = (await other.ocr(await pictureBody())).body;
    const end = { requestsChanged: { requestId, status: 'succeeded' } };
    await until('the end is told', () => mine.events.some((event) => JSON.stringify(event) === JSON.stringify(end)));
  });

  it('hands the text over although history is off, and keeps none', async () => {
    const { caller } = await newCaller({ history: false });
    engines.script('reader', says('only once'));
    const { body } = await caller.ocr(await pictureBody());
    expect(body.extracted_text).toBe('only once');
    expect((await caller.get(`/v1/ocr/${body.request_id}`)).status).toBe(410);
    await untilNothingPasses();
  });

  it.each([
    [{ history: false }, {}],
    [{}, { store: false }],
  ])('hands over what of a partial result is kept nowhere: %j, %j', async (wish, fields) => {
    const { caller } = await newCaller(wish);
    engines.script('reader', cutsShort('Dear Sir,'));
    const body = await pictureBody('reader', fields);
    const first = (await caller.ocr(body, { key: 'k' })).body;
    expect(first).toMatchObject({ status: 'partial', extracted_text: null, extracted_text_preview: 'Dear Sir,' });
    expect(first.warning).toMatch(/Nothing of it was kept/);
    await untilNothingPasses();
    expect((await caller.ocr(body, { key: 'k' })).body).not.toHaveProperty('extracted_text_preview');
  });

  it.each([
    ['an account without history', { history: false }, {}],
    ['a request that is to be kept nowhere', {}, { store: false }],
    ['pages that are kept nowhere', {}, { store: false, include: ['lines'] }],
  ])('gives every waiting call what was read for %s, though they wait in two processes', async (_, wish, fields) => {
    const { caller, other } = await newCaller(wish);
    const gate = makeGate();
    engines.script('reader', async () => {
      await gate.opened;
      return says('for both');
    });
    const bodies = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (key) => [key, await pictureBody('reader', fields)] as const),
    );
    const send = (by: Caller) => bodies.map(([key, body]) => by.ocr(body, { key }));
    redis.freeze(); // they hear of the end at different times
    const first = send(caller);
    await until('all are at work', () => engines.calls('reader').length === bodies.length);
    await sleep(500);
    const second = send(other);
    await sleep(700);
    gate.open();
    const replies = await Promise.all([...first, ...second]).finally(() => redis.thaw());
    expect(replies.map(({ body }) => body.extracted_text)).toEqual(replies.map(() => 'for both'));
    if ('include' in fields) for (const { body } of replies) expect(body.page_results).toHaveLength(1);
    await untilNothingPasses();
  });

  it.each([
    ['an account without history', { history: false }, {}],
    ['a request that is to be kept nowhere', {}, { store: false }],
  ])('shows nobody what only waits for its caller, of %s', async (_, wish, fields) => {
    const { caller } = await newCaller(wish);
    engines.script('reader', says('only once'));
    const { body } = await caller.ocr(await pictureBody('reader', { ...fields, include: ['lines'] }));
    expect(body).toMatchObject({ extracted_text: 'only once', page_results: [{ text: 'only once' }] });
    const outcome = await ask(
      caller,
      `{ ocrOutcome(id: "${body.request_id}") { status extractedText extractedTextPreview includedPages { text } } }`,
    );
    const nothing = { extractedText: null, extractedTextPreview: null, includedPages: null };
    expect(outcome.data).toEqual({ ocrOutcome: { status: 'succeeded', ...nothing } });
    await untilNothingPasses();
  });

  it('hands over the pages of a partial result as well, and keeps none', async () => {
    const { caller } = await newCaller({ history: false });
    const answers = [says('only once'), cutsShort('on')];
    engines.script('reader', () => answers.shift() ?? says(''));
    const pages = makePdf([{ text: 'one' }, { text: 'two' }]);
    const { body } = await caller.ocr(ocrBody('reader', pages, { include: ['pages'], page_count: 2 }));
    expect(body).toMatchObject({ status: 'partial', extracted_text: null });
    expect(body.page_results?.map(({ state }) => state).toSorted()).toEqual(['failed', 'read']);
    await untilNothingPasses();
  });

  it('hands over words with their places once, and keeps none', async () => {
    const { caller } = await newCaller({ history: false });
    const body = ocrBody('pdf-text', makePdf([{ text: 'only once' }]), { include: ['words'] });
    const first = await caller.ocr(body, { key: 'once' });
    const [page] = first.body.page_results ?? [];
    expect(page && wordsOf(page).map(({ text }) => text)).toEqual(['only', 'once']);
    expect((await caller.ocr(body, { key: 'once' })).body).not.toHaveProperty('page_results');
    expect((await caller.get(`/v1/ocr/${first.body.request_id}/pages`)).status).toBe(410);
    await untilNothingPasses();
    const places = `select 1 from page_layout where request_id = '${first.body.request_id}'`;
    expect(await readSql(databaseUrl, places)).toEqual([]);
  });

  it('replays in one process what was sent to another, and joins what runs', async () => {
    const { caller, other } = await newCaller();
    const body = await pictureBody();
    const key = randomUUID();
    const both = await Promise.all([caller.ocr(body, { key }), other.ocr(body, { key })]);
    expect(new Set(both.map((reply) => reply.body.request_id)).size).toBe(1);
    expect((await other.ocr(body, { key })).headers['idempotent-replayed']).toBe('true');
    expect(engines.calls('reader')).toHaveLength(1);
  });

  it('counts the rate limit exactly over both', async () => {
    const { caller, other } = await newCaller({ tier: 'free' });
    const calls = Array.from({ length: 80 }, (_, i) => (i % 2 ? caller : other).get('/v1/usage'));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('survives FLUSHALL: what is announced no more is found in the database', async () => {
    const { caller } = await newCaller();
    const flushing = setInterval(() => void redis.command('flushall').catch(() => undefined), 50);
    await expectRead(caller, 12).finally(() => clearInterval(flushing));
    await expectRead(caller);
  });

  it('goes on when Redis has forgotten its scripts', async () => {
    const { caller } = await newCaller();
    await redis.command('script', 'flush');
    await expectRead(caller);
    await expectRead(caller);
  });

  it('works without Redis, and with one that was started again without its memory', async () => {
    const { caller } = await newCaller();
    await redis.kill();
    await expectRead(caller);
    await redis.start();
    await expectRead(caller);
  });

  it('works while Redis is frozen, and after it', async () => {
    const { caller } = await newCaller();
    redis.freeze();
    await expectRead(caller).finally(() => redis.thaw());
    await expectRead(caller);
  });

  it('gives what a killed worker held to another one, at the price of one reading', async () => {
    const { accountId, caller } = await newCaller({ credit: 1 });
    const doomed = await startProduct({ ...options, role: 'worker' });
    let calls = 0;
    engines.script('reader', async () => {
      calls++;
      if (calls <= 12) await new Promise(() => {}); // whoever holds these must die
      return says('at last');
    });
    const bodies = await Promise.all(Array.from({ length: 12 }, () => pictureBody('reader', { mode: 'async' })));
    const accepted = await Promise.all(bodies.map((body) => caller.ocr(body)));
    await until('all workers are full', () => calls === 12);
    await Promise.all([doomed, ...workers].map((worker) => worker.kill()));
    workers.splice(0, 2, ...(await Promise.all([1, 2].map(() => startProduct({ ...options, role: 'worker' })))));
    for (const { body } of accepted) {
      await until(`${body.request_id} is read`, async () => {
        const { body: now } = await caller.get(`/v1/ocr/${body.request_id}`);
        return now.status === 'succeeded';
      });
    }
    expect(await admin.showAccount(accountId)).toMatchObject({ balance_usd: 0.88, held_usd: 0 });
    const attempts = await readSql(
      databaseUrl,
      `select json_agg(json_build_array(a.number, a.outcome) order by a.number) as of_request from attempt a
       join ocr_request r on r.id = a.request_id where r.account_id = '${accountId}' group by r.id`,
    );
    expect(attempts).toEqual(
      accepted.map(() => ({
        of_request: [
          [1, 'lost'],
          [2, 'ok'],
        ],
      })),
    );
    await doomed[Symbol.asyncDispose]();
  });

  it('takes over from a worker whose event loop stands still, and lets it change nothing afterwards', async () => {
    const { accountId, caller } = await newCaller({ credit: 1 });
    let calls = 0;
    const gate = makeGate();
    engines.script('reader', async () => {
      calls++;
      if (calls === 1) await gate.opened;
      return says(calls === 1 ? 'too late' : 'by another');
    });
    const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    await until('one has it', () => calls === 1);
    const owner = await readSql<{ owner: string }>(
      databaseUrl,
      "select lease_owner as owner from ocr_request where status = 'processing'",
    );
    const frozen = workers.find(({ pid }) => owner[0]?.owner.includes(`:${pid}:`)) as ProductProcess; // one of them has it
    frozen.signal('SIGSTOP');
    const read = until('another has read it', async () => {
      const { body: now } = await caller.get(`/v1/ocr/${body.request_id}`);
      return now.status === 'succeeded' && now;
    });
    await read.finally(() => frozen.signal('SIGCONT'));
    gate.open();
    await until('the frozen one works again', async () => (await fetch(`${frozen.url}/readyz`)).status === 200);
    await expectRead(caller);
    const { body: after } = await caller.get(`/v1/ocr/${body.request_id}`);
    expect(after).toMatchObject({ extracted_text: 'by another', cost_debited: 0.01 });
    expect(await admin.showAccount(accountId)).toMatchObject({ balance_usd: 0.96, held_usd: 0 });
  });

  it('feels a revoked key within a second in every process', async () => {
    const { accountId } = await newCaller();
    const { key_id: keyId, api_key: apiKey } = await admin.createKey({ accountId });
    const callers = [api, otherApi].map(({ url }) => new Caller(url, apiKey));
    expect((await Promise.all(callers.map((caller) => caller.get('/v1/usage')))).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    await admin.revokeKey(keyId);
    await sleep(1000); // what is promised, so that no answer of before is believed any longer
    const statuses = (await Promise.all(callers.map((caller) => caller.get('/v1/usage')))).map(({ status }) => status);
    expect(statuses).toEqual([401, 401]);
  });

  it('lets a stopping worker finish what it has begun', async () => {
    const { caller } = await newCaller();
    const leaving = workers.shift() as ProductProcess; // there is one
    let running = 0;
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    engines.script('reader', async () => {
      running++;
      await gate;
      return says('finished');
    });
    const replies = Promise.all(Array.from({ length: 8 }, async () => caller.ocr(await pictureBody())));
    await until('both workers are full', () => running === 8);
    const stopped = leaving.stop();
    release?.();
    expect((await replies).every(({ body }) => body.extracted_text === 'finished')).toBe(true);
    await stopped;
    expect(engines.calls('reader')).toHaveLength(8);
    workers.push(await startProduct({ ...options, role: 'worker' }));
  });
});
