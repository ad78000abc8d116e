import type { Availability } from '../engines/availability.ts';
import type { Engine } from '../engines/engine.ts';
import { judgeHealth } from './health.ts';
import type { Prober } from './probe.job.ts';
import type { Series } from './series.ts';
import type { EngineHealth } from './series.type.ts';

/** How engines are now: what their probes said, and how their latest calls went. */
export class HealthBook {
  readonly #series: Series;
  readonly #prober: Prober;
  readonly #availability: Pick<Availability, 'obstacle'>;

  constructor(series: Series, prober: Prober, availability: Pick<Availability, 'obstacle'>) {
    this.#series = series;
    this.#prober = prober;
    this.#availability = availability;
  }

  /** Two statements, however many engines. */
  async of(engines: readonly Engine[]): Promise<EngineHealth[]> {
    const ids = engines.map(({ id }) => id);
    const [probes, metricsOf] = await Promise.all([this.#prober.latest(), this.#series.metricsOf(ids)]);
    return engines.map((engine) => {
      const { id, name, healthUrl } = engine;
      const metrics = metricsOf.get(id);
      if (!metrics) throw new Error('an aggregate answers one row an engine');
      const health = judgeHealth(probes.get(id) ?? null, metrics);
      const obstacle = this.#availability.obstacle(engine);
      return { engineId: id, engineName: name, healthUrl, ...health, obstacle, metrics };
    });
  }
}
