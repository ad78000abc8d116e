import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fails, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { ask } from '../../house/graphql.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';

interface Health {
  readonly total: number;
  readonly healthy: number;
  readonly engines: { engine_id: string; status: string; detail: string | null; metrics: Record<string, number> }[];
}

interface Shown {
  readonly lastError: string | null;
  readonly stateSince: string | null;
  readonly health: { status: string; detail: string; providerFault: string; failingSince: string };
}

/** Of the picture that a probe sends; other pictures here are smaller. */
const PROBE_WIDTH = 240;

const house = await openHouse({
  engines: { watched: { probe: true }, unwatched: {}, refused: {}, fails: {}, stopped: {} },
  env: { PROBE_INTERVAL_MS: '100' },
});
const { caller } = await house.account();
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.script('watched', says('READY')));

async function healthOf(id: string) {
  const { body } = await house.stranger.get<Health>('/v1/engines/health');
  return body.engines.find(({ engine_id }) => engine_id === id);
}

async function untilStatus(status: string) {
  return until(`the engine is ${status}`, async () => {
    const health = await healthOf('watched');
    return health?.status === status && health;
  });
}

describe('GET /v1/engines/health', () => {
  it('shows an engine healthy that reads the word of the probe', async () => {
    expect(await untilStatus('healthy')).toMatchObject({ detail: null });
    const { body } = await house.stranger.get<Health>('/v1/engines/health');
    expect(body.total).toBe(3);
    expect(body.healthy).toBe(body.engines.filter(({ status }) => status === 'healthy').length);
  });

  it('leaves out, and never probes, a hosted engine that the operator did not choose', async () => {
    expect(await healthOf('unwatched')).toBeUndefined();
    expect(house.engines.calls('unwatched')).toEqual([]);
  });

  it('shows an engine unhealthy that reads something else, refuses its requests, and takes it back', async () => {
    house.engines.script('watched', says('NOTHING LIKE IT'));
    expect(await untilStatus('unhealthy')).toMatchObject({ detail: expect.stringMatching(/word/) });
    await until('requests are refused', async () => (await caller.ocr(await pictureBody('watched'))).status === 503);
    expectError(await caller.ocr(await pictureBody('watched')), 503, 'engine_unavailable', /probe/);
    house.engines.script('watched', says('READY'));
    await untilStatus('healthy');
    await until('requests are taken', async () => (await caller.ocr(await pictureBody('watched'))).status === 200);
  });

  it('shows what traffic says where probes see nothing wrong', async () => {
    await untilStatus('healthy');
    let requests = 0;
    house.engines.script('watched', async (call) => {
      const isProbe = (await call.size()).width === PROBE_WIDTH;
      return isProbe || requests++ % 3 === 0 ? says('READY') : fails(500, 'down');
    });
    for (let n = 0; n < 12; n++) await caller.ocr(await pictureBody('watched'));
    const health = await untilStatus('unhealthy');
    expect(health.detail).toMatch(/^\d+ of the latest \d+ calls failed$/);
  });

  it('takes one refusal of the credentials for a proof, says so, and does not forget it', async () => {
    house.engines.script('unwatched', fails(401, 'no such key: key-of-the-operator'));
    const refused = await caller.ocr(await pictureBody('unwatched'));
    expect(JSON.stringify(refused.body)).not.toMatch(/no such key/);
    const { caller: operator } = await house.account({ scopes: ['operator'] });
    const asked =
      '{ engine(id: "unwatched") { lastError stateSince health { status detail providerFault failingSince } } }';
    const { engine } = (await ask<{ engine: Shown }>(operator, asked)).data;
    expect((await ask<{ engine: Shown }>(caller, asked)).data.engine.lastError).toBeNull();
    expect(engine.health).toMatchObject({ status: 'unhealthy', providerFault: 'credentials_refused' });
    expect(engine.health.detail).toMatch(/refuses the gateway’s credentials/);
    expect(engine.lastError).toMatch(/401/);
    await until('the provider’s words are there, without the key', async () => {
      const { lastError } = (await ask<{ engine: Shown }>(operator, asked)).data.engine;
      return lastError?.endsWith('(HTTP 401). Its words: “no such key: …”');
    });
    expect(engine.stateSince).toBe(engine.health.failingSince);
    house.engines.script('unwatched', fails(500, 'on fire'));
    await caller.ocr(await pictureBody('unwatched'));
    const { engine: later } = (await ask<{ engine: Shown }>(operator, asked)).data;
    expect(later.lastError).toMatch(/500: on fire\.$/);
    expect(later.health).toMatchObject({ status: 'unhealthy', providerFault: 'credentials_refused' });
  });

  it('does not take a request that was cancelled, with pages read before, for a sign that the engine is back', async () => {
    house.engines.script('stopped', fails(401, 'no such key'));
    const { body } = await caller.ocr(await pictureBody('stopped'));
    expect(body).toMatchObject({ error: { code: expect.any(String) } });
    const cancelled = `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, pages, billing)
      values ('att_cancelled', 'ocr_1', 1, 'stopped', now(), now() + interval '1 s', 'cancelled', 5, 'none')`;
    expect(await runSql(house.databaseUrl, cancelled)).toBe(1);
    const { caller: operator } = await house.account({ scopes: ['operator'] });
    const asked = '{ engine(id: "stopped") { health { status providerFault failingSince } } }';
    const { engine } = (await ask<{ engine: Shown }>(operator, asked)).data;
    expect(engine.health).toMatchObject({ status: 'unhealthy', providerFault: 'credentials_refused' });
    expect(engine.health.failingSince).not.toBeNull();
  });

  it('does not forget what failed by the end of the traffic: not a refusal, nor failures in a row, an hour after', async () => {
    const { caller: operator } = await house.account({ scopes: ['operator'] });
    const asked = (id: string) =>
      `{ engine(id: "${id}") { lastError stateSince health { status detail providerFault failingSince } } }`;
    const seen = async (id: string) => (await ask<{ engine: Shown }>(operator, asked(id))).data.engine;
    house.engines.script('refused', fails(401, 'no such key'));
    await caller.ocr(await pictureBody('refused'));
    house.engines.script('fails', fails(500, 'down'));
    for (let n = 0; n < 2; n++) await caller.ocr(await pictureBody('fails'));
    await until('both are known', async () => {
      const [refused, failing] = await Promise.all([seen('refused'), seen('fails')]);
      return refused.health.failingSince !== null && failing.health.failingSince !== null;
    });
    // What was written down of their states meanwhile, too: it may be of before or of after.
    const OLDER = `with noted as (update engine_state set at = at - interval '1 hour' where engine in ('refused', 'fails'))
      update attempt set started_at = started_at - interval '1 hour', finished_at = finished_at - interval '1 hour'
      where engine in ('refused', 'fails')`;
    expect(await runSql(house.product.databaseUrl, OLDER)).toBeGreaterThanOrEqual(3);
    const anHourAgo = async (id: string) => {
      const engine = await seen(id);
      return Date.parse(engine.health.failingSince) < Date.now() - 1_800_000 && engine;
    };
    const refused = await until('the refusal is known as an hour old', () => anHourAgo('refused'));
    expect(refused.health).toMatchObject({ status: 'unhealthy', providerFault: 'credentials_refused' });
    expect(refused.stateSince).toBe(refused.health.failingSince);
    const failing = await until('the failures are known as an hour old', () => anHourAgo('fails'));
    expect(failing.health.status).toBe('degraded');
    expect(failing.stateSince).toBe(failing.health.failingSince);
  });
});
