import { SHOWN_REQUEST } from '../../requests/store/texts/left-sql.ts';

/** What is stored under the names of GraphQL, with those that the REST contract has; of `s`, which `SHOWN` has. */
export const APPLIED_SETTINGS = objectOf('s.applied_settings', {
  language: 'language',
  language_native: 'languageNative',
  dpi: 'dpi',
  page_range: 'pageRange',
  detect_tables: 'detectTables',
  page_count: 'pageCount',
  output_format: 'outputFormat',
  native: 'native',
});

/** Likewise of its metadata. */
export const RESULT_METADATA = `case jsonb_typeof(s.metadata) when 'object' then json_build_object(
  'warnings', s.metadata -> 'warnings', 'possible_duplicate', s.metadata -> 'possibleDuplicate',
  'fallback', case jsonb_typeof(s.metadata -> 'fallback') when 'object' then json_build_object(
    'requested_engine', s.metadata -> 'fallback' -> 'requestedEngine',
    'used_engine', s.metadata -> 'fallback' -> 'usedEngine', 'reason', s.metadata -> 'fallback' -> 'reason',
    'attempts', (select json_agg(${objectOf('attempt', {
      engine: 'engine',
      outcome: 'outcome',
      provider_latency_ms: 'providerLatencyMs',
      cost_usd: 'costUsd',
    })} order by place)
      from jsonb_array_elements(case jsonb_typeof(s.metadata -> 'fallback' -> 'attempts')
        when 'array' then s.metadata -> 'fallback' -> 'attempts' end) with ordinality as a (attempt, place))) end,
  'preprocessing', s.metadata -> 'preprocessing') end`;

/** A join with what is shown of request `r`, where `WITH_LIFE` is. */
export const SHOWN = `cross join lateral (select ${Object.entries(SHOWN_REQUEST)
  .map(([column, value]) => `${value} as ${column}`)
  .join(', ')}) s`;

/** Properties of a JSON object under other names; null where it is none. */
function objectOf(json: string, names: Readonly<Record<string, string>>): string {
  const properties = Object.entries(names).map(([name, stored]) => `'${name}', ${json} -> '${stored}'`);
  return `case jsonb_typeof(${json}) when 'object' then json_build_object(${properties.join(', ')}) end`;
}
