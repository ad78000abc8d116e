// Brings the metadata that the decorators of all classes write.
import '../../src/database/orm.ts';

import { graphql } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import type { Context } from '../../src/accounts/callers/context.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { ReportsReady } from '../../src/database/reports-ready.ts';
import { Availability } from '../../src/engines/availability.ts';
import { BUILT_IN } from '../../src/engines/built-in.ts';
import { EnginesResolver } from '../../src/engines/engines.resolver.ts';
import { makeCatalogue } from '../../src/engines/make-catalogue.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { EngineFiguresResolver } from '../../src/monitoring/engine-figures.resolver.ts';
import { engineLoaders } from '../../src/monitoring/engine-loaders.ts';
import { EngineStateLog } from '../../src/monitoring/probes/engine-state-log.ts';
import { HealthStore } from '../../src/monitoring/probes/health-store.ts';
import type { Prober } from '../../src/monitoring/probes/probe.job.ts';
import { ProbeStore } from '../../src/monitoring/probes/probe-store.ts';
import { ProviderWordStore } from '../../src/monitoring/provider-words/provider-word-store.ts';
import { RefusalStore } from '../../src/monitoring/refusals/refusal-store.ts';
import { Series } from '../../src/monitoring/series/series.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

let pool: Pool;
let ready: ReportsReady;
let statements = 0;

beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 4, log: makeLog('silent') });
  ready = new ReportsReady(pool);
  await ready.look(); // asked once a process
  const send = pool.ask.bind(pool);
  pool.ask = ((...args: Parameters<typeof send>) => {
    statements++;
    return send(...args);
  }) as typeof send;
});
afterAll(() => pool.end());

function schemaOf(engines: number) {
  const more = Array.from({ length: engines - BUILT_IN.length }, (_, n) => ({
    ...{ id: `more-${n}`, name: 'More', provider: 'x', adapter: 'openai', price_per_page_usd: 0.01 },
  }));
  const catalogue = makeCatalogue([...BUILT_IN, ...more], { secrets: {}, cores: 1, engineLimitMs: 1000 });
  const availability = new Availability(pool);
  const probes = new ProbeStore(pool, { intervalMs: 1000, limitMs: 1000 });
  const prober = null as unknown as Prober; // no operation of this file probes
  const series = new Series(pool);
  const health = new HealthStore(series, probes, availability);
  const [states, refusals, words] = [new EngineStateLog(pool), new RefusalStore(pool), new ProviderWordStore(pool)];
  const loaders = engineLoaders({ reports: { pool, ready }, series, health, states, refusals, words });
  return makeSchema([
    new EnginesResolver(catalogue, availability),
    new EngineFiguresResolver(catalogue, availability, prober, health, loaders),
  ]);
}

it('reads the figures of all engines in one statement a kind, two for health and three for a window', async () => {
  const source = `{ engines { id enabled obstacle stateSince health { status } stats { totalPages } latency(hours: 24) { p50Ms }
    uptime(days: 30) { overallUptimePct } window(hours: 24) { requests spent } } }`;
  for (const engines of [2, 40]) {
    statements = 0;
    const contextValue: Context = { caller: null };
    const { data, errors } = await graphql({ schema: schemaOf(engines), source, contextValue });
    expect(errors).toBeUndefined();
    expect(data?.['engines']).toHaveLength(engines);
    expect(statements).toBe(9); // state, probes, metrics, stats, latency, uptime, window, spent, refused
  }
});
