import { fundsNeeded } from '../../billing/charge.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import type { Effective } from '../model/effective.ts';
import { handsScansOn } from '../run/read-request.ts';
import { EstimateAlternative } from './estimate.type.ts';

const MOST = 5;

/** What another engine would have to read. */
interface Wanted {
  readonly effective: Effective;
  readonly format: string;
  readonly pages: number;
  /** Of them: pages with text of their own; null where that is not known. */
  readonly textPages: number | null;
}

/** Other engines that take the document now, cheapest first; where the price is the same, the better one. */
export function alternativesTo(
  engine: Engine,
  { effective, format, pages, textPages }: Wanted,
  { catalogue, availability }: { catalogue: Catalogue; availability: Pick<Availability, 'isUsable'> },
): EstimateAlternative[] {
  const takes = (other: Engine) =>
    other.id !== engine.id &&
    availability.isUsable(other) &&
    other.accepts.includes(effective.inputType) &&
    other.accepts.includes(format) &&
    other.maxPagesPerRequest >= pages &&
    (effective.pageRange === null || other.pageRange);
  const toAlternative = (other: Engine) =>
    Object.assign(new EstimateAlternative(), {
      engine: other.id,
      reserved: fundsNeeded(other, null, pages).hold,
      readsPages: handsScansOn(other) ? textPages : null,
      hardScore: other.benchmark?.hardScore ?? null,
    });
  return catalogue.engines
    .filter(takes)
    .map(toAlternative)
    .sort((a, b) => Number(a.reserved - b.reserved) || (b.hardScore ?? 0) - (a.hardScore ?? 0))
    .slice(0, MOST);
}
