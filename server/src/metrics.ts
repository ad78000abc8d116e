import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import type { Worker } from './requests/worker.ts';

/** The page for Prometheus: the process, and the requests at work in it. */
export function makeMetrics({ worker, version }: { worker: Worker; version: string }): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const running = new Gauge({
    name: 'ocr_requests_running',
    help: 'Requests at work in this process.',
    registers: [registry],
  });
  const build = new Gauge({
    name: 'ocr_build_info',
    help: 'Version of the service.',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version }, 1);
  return () => {
    running.set(worker.runningCount);
    return registry.metrics();
  };
}
