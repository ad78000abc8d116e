import type { AdapterType, Connection } from './adapter-type.ts';

/** As `ENGINES_FILE` spells them. */
const NAMES: Readonly<Record<keyof Connection, string>> = {
  baseUrl: 'base_url',
  apiKey: 'api_key',
  model: 'model',
  region: 'region',
};

/** What keeps an engine with these settings from running, in words; null when it can run. */
export function missingSetting({ needs, problem }: AdapterType, connection: Connection): string | null {
  const missing = needs.find((setting) => !connection[setting]);
  if (missing) return `${NAMES[missing]} is missing`;
  const { baseUrl } = connection;
  if (baseUrl !== null && !URL.canParse(baseUrl)) return 'base_url is not an address';
  return problem?.(connection) ?? null;
}
