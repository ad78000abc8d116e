import type { components } from '../../../openapi/types.d.ts';
import { readApi } from '../http/read-api.ts';

type Schemas = components['schemas'];

export interface EngineLook {
  readonly health: Schemas['EngineHealth'];
  readonly uptime: Schemas['UptimeHistory'];
}

export interface ServiceLook {
  readonly engines: readonly EngineLook[];
  readonly changelog: Schemas['Changelog'];
  readonly incidents: readonly Schemas['Incident'][];
  readonly atMs: number;
}

/** How the engines do, and those that are probed did each day of the span, and how the API changed. */
export async function lookAtService(days: number): Promise<ServiceLook> {
  const [{ engines }, changelog, incidents] = await Promise.all([
    readApi<Schemas['EngineHealthList']>('/v1/engines/health?engines=all'),
    readApi<Schemas['Changelog']>('/v1/changelog'),
    readApi<Schemas['IncidentList']>('/v1/incidents'),
  ]);
  const looks = engines.map(async (health) => {
    const path = `/v1/engines/${encodeURIComponent(health.engine_id)}/uptime?days=${days}`;
    return { health, uptime: await readApi<Schemas['UptimeHistory']>(path) };
  });
  return { engines: await Promise.all(looks), changelog, incidents: incidents.data, atMs: Date.now() };
}
