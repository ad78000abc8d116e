import type { AdapterType } from '../model/adapter-type.ts';
import type { Engine } from '../model/engine.ts';
import * as adapters from './index.ts';

/** Every adapter that `ENGINES_FILE` may name. */
export const ADAPTERS: readonly AdapterType[] = Object.values(adapters);

const BY_NAME = new Map(ADAPTERS.map((adapter) => [adapter.name, adapter]));

/** The adapter that an engine names. Throws for an unknown name, and lists the known ones. */
export function adapterOf(engine: Pick<Engine, 'id' | 'adapter'>): AdapterType {
  const type = BY_NAME.get(engine.adapter);
  if (!type) {
    const known = [...BY_NAME.keys()].join(', ');
    throw new Error(`Engine ${engine.id}: there is no adapter "${engine.adapter}". Known: ${known}.`);
  }
  return type;
}
