import type { FileColumn } from '../kit/export-button.tsx';
import type { WallEngine } from './wall-engine.ts';

/** An engine as a line of a file; figures are of the time range. */
export const ENGINE_FILE: ReadonlyArray<FileColumn<WallEngine>> = [
  { header: 'id', value: ({ id }) => id },
  { header: 'name', value: ({ name }) => name },
  { header: 'provider', value: ({ provider }) => provider },
  { header: 'state', value: ({ state }) => state },
  { header: 'runs', value: ({ window }) => window.requests },
  { header: 'errors', value: ({ window }) => window.errors },
  { header: 'refused_calls', value: ({ window }) => window.unavailable },
  { header: 'p50_ms', value: ({ window }) => window.p50Ms },
  { header: 'p95_ms', value: ({ window }) => window.p95Ms },
  { header: 'p99_ms', value: ({ window }) => window.p99Ms },
  { header: 'uptime_30_days_pct', value: ({ uptime }) => uptime.overallUptimePct },
  { header: 'price_per_page_usd', value: ({ pricePerPage }) => pricePerPage },
];
