import type { Wire } from '../../server/src/engines/adapters/wires/wire-type.ts';
import { KEY } from '../../server/src/engines/adapters/wires/wire-type.ts';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';

/** The catalogue's entry of an engine whose provider, at this origin, speaks the wire. */
export function wiredEngine({ adapter, engine, basePath }: Wire, origin: string): Partial<EngineEntry> {
  const { model, region, apiKey } = engine;
  return {
    adapter: adapter.name,
    base_url: `${origin}${basePath}`,
    api_key: apiKey ?? KEY,
    model: model ?? null,
    region: region ?? null,
    probe: false,
  };
}
