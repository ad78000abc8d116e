import { tmpdir } from 'node:os';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fails, refuses, says } from '../../../../test/house/engine-answers.ts';
import { listen } from '../../../../test/house/listen.ts';
import { ScriptedEngines } from '../../../../test/house/scripted-engines.ts';
import { SilentHandshake } from '../../../../test/house/silent-handshake.ts';
import { until } from '../../../../test/house/until.ts';
import { Documents } from '../../documents/documents.ts';
import { BUILT_IN } from '../../engines/built-in.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import { EngineRunner } from '../../engines/engine-runner.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { fromUsd } from '../../platform/money.ts';
import { checkEngine } from './check-engine.ts';

const NEVER = new AbortController().signal;

const stack = new AsyncDisposableStack();
let scripted: ScriptedEngines;
let catalogue: Catalogue;
let engines: EngineRunner;
let documents: Documents;

beforeAll(async () => {
  scripted = stack.use(await ScriptedEngines.start());
  const tokens = { token_prices: { input_per_million_usd: 1, output_per_million_usd: 10 } };
  const entries = [
    ...BUILT_IN,
    scripted.entry('hosted', { concurrency: 1 }),
    scripted.entry('by-token', tokens),
    scripted.entry('of-unknown-cost', { provider_cost_per_page_usd: null }),
  ];
  catalogue = makeCatalogue(entries, { secrets: {}, cores: 1, engineLimitMs: 60_000 });
  documents = stack.use(
    new Documents({ threads: 1, maxPixels: 1e6, maxSentPixels: 1e6, maxPages: 5, pdfTimeoutMs: 30_000, memoryMb: 256 }),
  );
  const http = stack.adopt(new Agent(), (agent) => agent.destroy());
  const tools = { http, documents, dataDir: tmpdir(), cores: 1, programEnv: {}, log: makeLog('silent') };
  engines = stack.use(new EngineRunner(catalogue, tools));
});
afterAll(() => stack.disposeAsync());

function check(id: string, signal = NEVER) {
  return checkEngine(catalogue.require(id), { engines, documents }, signal);
}

describe('a probe', () => {
  it.each(['tesseract', 'pdf-text'])('finds that %s reads the word, at no cost', async (id) => {
    expect(await check(id)).toMatchObject({ healthy: true, detail: null, cost: 0n, latencyMs: expect.any(Number) });
  });

  it('of a hosted engine has the cost and the usage that the provider reports', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 20 };
    scripted.script('by-token', says('The word is ready.', usage));
    expect(await check('by-token')).toMatchObject({ healthy: true, cost: fromUsd(0.0012), usage });
  });

  it('costs what a page costs at the provider where no usage is reported, and is unknown otherwise', async () => {
    scripted.script('hosted', says('READY'));
    expect(await check('hosted')).toMatchObject({ healthy: true, cost: fromUsd(0.004), usage: null });
    scripted.script('of-unknown-cost', says('READY'));
    expect(await check('of-unknown-cost')).toMatchObject({ healthy: true, cost: null });
  });

  it.each([
    ['another word', says('NOTHING'), 'the probe’s word was not read'],
    ['a refusal', refuses('no'), 'the probe was refused'],
    ['an error', fails(503, 'down'), 'the probe failed'],
  ])('fails on %s', async (_what, answer, detail) => {
    scripted.script('hosted', answer);
    expect(await check('hosted')).toMatchObject({ healthy: false, detail });
  });

  it('knows that the provider refuses the credentials', async () => {
    scripted.script('hosted', fails(401, 'Incorrect API key provided', 'invalid_api_key'));
    expect(await check('hosted')).toMatchObject({ healthy: false, fault: 'credentials_refused' });
    scripted.script('hosted', says('READY'));
    expect(await check('hosted')).toMatchObject({ healthy: true, fault: null });
  });

  it('says nothing against an engine whose places are all taken', async () => {
    const hosted = catalogue.require('hosted');
    using _permit = await engines.permit(hosted, NEVER);
    const stop = new AbortController();
    const checking = check('hosted', stop.signal);
    stop.abort(new Error('waited long enough'));
    expect(await checking).toBeNull();
  });

  it('asks the health URL where there is one', async () => {
    let status = 204;
    await using web = await listen((_request, response) => response.writeHead(status).end());
    const engine = { ...catalogue.require('hosted'), healthUrl: `${web.url}/health` };
    const tools = { engines, documents };
    expect(await checkEngine(engine, tools, NEVER)).toMatchObject({ healthy: true, cost: 0n, usage: null });
    status = 500;
    const detail = 'the health URL answered 500';
    expect(await checkEngine(engine, tools, NEVER)).toMatchObject({ healthy: false, detail });
    const gone = { ...engine, healthUrl: 'http://127.0.0.1:9/health' };
    // Anybody may read it: it has no address.
    expect(await checkEngine(gone, tools, NEVER)).toMatchObject({ healthy: false, detail: 'failed: ECONNREFUSED' });
  });

  it('asks the health URL by HTTP/1.1, and waits for no handshake once it is stopped', async () => {
    using silent = await SilentHandshake.start();
    const engine = { ...catalogue.require('hosted'), healthUrl: silent.url };
    const stop = new AbortController();
    const checking = checkEngine(engine, { engines, documents }, stop.signal);
    await until('the handshake has begun', () => silent.hellos.length > 0);
    const began = performance.now();
    stop.abort(new Error('the process stops'));
    expect(await checking).toMatchObject({ healthy: false });
    const waitedMs = performance.now() - began;
    expect([silent.isOfferedHttp2, waitedMs < 5000]).toEqual([false, true]); // a connection may take twice as long
  });

  it('fails on a health URL that has too many interim answers', async () => {
    await using web = await listen((_request, response) => {
      for (let n = 0; n < 200; n++) response.writeProcessing();
      response.end();
    });
    const engine = { ...catalogue.require('hosted'), healthUrl: web.url };
    expect(await checkEngine(engine, { engines, documents }, NEVER)).toMatchObject({
      healthy: false,
      detail: 'failed: more than 100 interim answers',
    });
  });
});
