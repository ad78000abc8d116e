import type { Absence } from '../mortal.ts';
import type { Fault } from './fault.ts';

/** Orderly stops while the database was away: what the process held then is given back to nobody. */
export function unheardStops(faults: readonly Fault[]): Absence[] {
  const outages = faults.flatMap((fault) => fault.outages);
  return faults
    .flatMap(({ stops }) => stops)
    .filter((stop) => outages.some(({ from, until }) => from < stop.until && until > stop.from));
}
