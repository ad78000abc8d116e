import type { Client } from 'urql';
import type { components } from '../../../openapi/types.d.ts';
import { EngineObstaclesDocument, type Obstacle } from '../documents.generated.ts';
import { readApi } from '../http/read-api.ts';

type Schemas = components['schemas'];

export interface EngineLook {
  readonly health: Schemas['EngineHealth'];
  readonly uptime: Schemas['UptimeHistory'];
  /** Why it takes no requests now, as far as it is known: null also for whoever is not signed in. */
  readonly obstacle: Obstacle | null;
}

export interface ServiceLook {
  readonly engines: readonly EngineLook[];
  readonly changelog: Schemas['Changelog'];
  readonly incidents: readonly Schemas['Incident'][];
  readonly atMs: number;
}

/**
 * How the engines do, and those that are probed did each day of the span, and how the API changed. `client`: of whoever is signed in; which
 * engines are switched off is not among what everybody is told.
 */
export async function lookAtService(days: number, client: Client | null): Promise<ServiceLook> {
  const [{ engines }, changelog, incidents, obstacles] = await Promise.all([
    readApi<Schemas['EngineHealthList']>('/v1/engines/health?engines=all'),
    readApi<Schemas['Changelog']>('/v1/changelog'),
    readApi<Schemas['IncidentList']>('/v1/incidents'),
    obstaclesOf(client),
  ]);
  const looks = engines.map(async (health) => {
    const path = `/v1/engines/${encodeURIComponent(health.engine_id)}/uptime?days=${days}`;
    const uptime = await readApi<Schemas['UptimeHistory']>(path);
    return { health, uptime, obstacle: obstacles.get(health.engine_id) ?? null };
  });
  return { engines: await Promise.all(looks), changelog, incidents: incidents.data, atMs: Date.now() };
}

/** Without them the page says what everybody is told. */
async function obstaclesOf(client: Client | null): Promise<ReadonlyMap<string, Obstacle | null>> {
  const answer = await client?.query(EngineObstaclesDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  return new Map(answer?.data?.engines.map(({ id, obstacle }) => [id, obstacle]));
}
