import type { Availability } from '../../engines/availability.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { isAnswered, judgeHealth, providerFaultOf } from '../series/health.ts';
import type { Series } from '../series/series.ts';
import type { EngineHealth } from '../series/series.type.ts';
import type { ProbeStore } from './probe-store.ts';

/** The health of engines now, by their probes and their latest calls. */
export class HealthStore {
  readonly #series: Series;
  readonly #probes: Pick<ProbeStore, 'latest'>;
  readonly #availability: Pick<Availability, 'obstacle'>;

  constructor(series: Series, probes: Pick<ProbeStore, 'latest'>, availability: Pick<Availability, 'obstacle'>) {
    this.#series = series;
    this.#probes = probes;
    this.#availability = availability;
  }

  /** The health of these engines, read in two statements, however many they are. */
  async of(engines: readonly Engine[]): Promise<EngineHealth[]> {
    const ids = engines.map(({ id }) => id);
    const probed = engines.filter(({ probe, status }) => probe && status === 'available').map(({ id }) => id);
    const [probes, metricsOf] = await Promise.all([this.#probes.latest(probed), this.#series.metricsOf(ids)]);
    return engines.map((engine) => {
      const { id, name, healthUrl } = engine;
      const metrics = metricsOf.get(id);
      if (!metrics) throw new Error('an aggregate answers one row an engine');
      const obstacle = this.#availability.obstacle(engine);
      const probe = probes.get(id) ?? null;
      const signs = { probe, probesRead: healthUrl === null, calls: metrics, isResting: obstacle === 'resting' };
      const health = judgeHealth(signs);
      const { failingSince, lastMessage, lastRequestId, faultMessage, lastUnquoted, faultUnquoted } = metrics;
      const providerFault = providerFaultOf(signs);
      const failing = health.status === 'unhealthy' || health.status === 'degraded';
      return {
        ...{ engineId: id, engineName: name, healthUrl, ...health, obstacle, metrics, providerFault, lastMessage },
        ...{ lastRequestId, faultMessage, lastUnquoted, faultUnquoted, isAnswered: isAnswered(signs) },
        failingSince: failing ? failingSince : null,
      };
    });
  }
}
