import { createHash, timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, type Registry } from '@prometheus-io/client';
import type { RequestHandler } from 'express';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { EngineRunner } from '../../engines/engine-runner.ts';
import type { DatabaseGauges } from '../../monitoring/database-gauges.ts';
import { AppError } from '../../platform/errors.ts';
import type { Worker } from '../../requests/run/worker.ts';
import { send } from '../../rest/send.ts';

/** Metrics of the library that the naming rules forbid (`promtool check metrics`); others tell the same. */
const ILL_NAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

export interface MetricsDeps {
  readonly worker: Worker;
  readonly engines: EngineRunner;
  readonly availability: Availability;
  readonly catalogue: Catalogue;
  readonly gauges: DatabaseGauges;
  readonly version: string;
}

/** Makes the page for Prometheus: gauges of this process and its engines, read when the page is, and all else in the registry. */
export function makeMetrics(registry: Registry, deps: MetricsDeps): () => Promise<string> {
  const { worker, engines, availability, catalogue, gauges, version } = deps;
  collectDefaultMetrics({ register: registry });
  for (const name of ILL_NAMED) registry.removeSingleMetric(name);
  const registers = [registry];
  const running = new Gauge({ name: 'ocr_requests_running', help: 'Requests at work in this process.', registers });
  const build = new Gauge({
    name: 'ocr_build_info',
    help: 'Version of the service.',
    labelNames: ['version'],
    registers,
  });
  const circuit = new Gauge({
    name: 'ocr_engine_circuit_open',
    help: 'Whether this process leaves the engine alone for a while, because it failed several times in a row.',
    labelNames: ['engine'],
    registers,
  });
  const available = new Gauge({
    name: 'ocr_engine_available',
    help: 'Whether the engine takes requests: switched on, well by its last probe, circuit closed.',
    labelNames: ['engine'],
    registers,
  });
  build.set({ version }, 1);
  const shown = catalogue.engines.filter(({ status }) => status === 'available');
  return async () => {
    await gauges.refresh();
    running.set(worker.runningCount);
    for (const engine of shown) {
      circuit.set({ engine: engine.id }, engines.isResting(engine) ? 1 : 0);
      available.set({ engine: engine.id }, availability.isUsable(engine) ? 1 : 0);
    }
    return registry.metrics();
  };
}

/** Answers the figures; where a token is set, only to callers that send it. */
export function metricsHandler(figures: () => Promise<string>, token: string | null): RequestHandler {
  return async (req, res) => {
    if (token !== null && !isBearerOf(token, req.headers.authorization)) {
      const error = new AppError('authentication_error', '/metrics: send METRICS_TOKEN as `Authorization: Bearer`.');
      send(res, { status: error.status, headers: { 'WWW-Authenticate': 'Bearer' }, body: error.envelope() });
      return;
    }
    res.type('text/plain; version=0.0.4').send(await figures());
  };
}

/** Compares digests, which have one length, as a comparison in constant time needs. */
function isBearerOf(token: string, header: string | undefined): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
