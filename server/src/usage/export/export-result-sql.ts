import { METADATA } from '../../requests/judge/kept-sql.ts';

/** What is stored under the names of GraphQL, with those that the REST contract has; of request `r`. */
export const APPLIED_SETTINGS = objectOf('r.applied_settings', {
  language: 'language',
  language_native: 'languageNative',
  dpi: 'dpi',
  page_range: 'pageRange',
  detect_tables: 'detectTables',
  page_count: 'pageCount',
  output_format: 'outputFormat',
  native: 'native',
});

/** Likewise of `m.metadata`, which `METADATA_ROW` has. */
export const RESULT_METADATA = `case jsonb_typeof(m.metadata) when 'object' then json_build_object(
  'warnings', m.metadata -> 'warnings', 'possible_duplicate', m.metadata -> 'possibleDuplicate',
  'fallback', case jsonb_typeof(m.metadata -> 'fallback') when 'object' then json_build_object(
    'requested_engine', m.metadata -> 'fallback' -> 'requestedEngine',
    'used_engine', m.metadata -> 'fallback' -> 'usedEngine', 'reason', m.metadata -> 'fallback' -> 'reason',
    'attempts', (select json_agg(${objectOf('attempt', {
      engine: 'engine',
      outcome: 'outcome',
      provider_latency_ms: 'providerLatencyMs',
      cost_usd: 'costUsd',
    })} order by place)
      from jsonb_array_elements(case jsonb_typeof(m.metadata -> 'fallback' -> 'attempts')
        when 'array' then m.metadata -> 'fallback' -> 'attempts' end) with ordinality as a (attempt, place))) end,
  'preprocessing', m.metadata -> 'preprocessing') end`;

export const METADATA_ROW = `lateral (select ${METADATA} as metadata) m`;

/** Properties of a JSON object under other names; null where it is none. */
function objectOf(json: string, names: Readonly<Record<string, string>>): string {
  const properties = Object.entries(names).map(([name, stored]) => `'${name}', ${json} -> '${stored}'`);
  return `case jsonb_typeof(${json}) when 'object' then json_build_object(${properties.join(', ')}) end`;
}
