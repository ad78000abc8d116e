/** More engines than these share a colour: nobody tells more apart. */
const MOST_ENGINES = 5;
export const OTHERS = 'other engines';

const TICKS = 4;

/** What one engine was used for on one day. */
export interface EngineDay {
  readonly day: string;
  readonly engine: string;
  readonly requests: number;
  readonly pages: number;
  readonly cost: number;
}

export type Measure = 'cost' | 'requests' | 'pages';

export interface StackedDay {
  readonly date: string;
  readonly total: number;
  /** One number an engine, in the order of `engines`. */
  readonly parts: readonly number[];
}

export interface StackedDays {
  /** Those that were used the most first; the last may stand for all others. */
  readonly engines: readonly string[];
  readonly stacks: readonly StackedDay[];
  /** The lines of the axis, from 0 to what no day exceeds. */
  readonly ticks: readonly number[];
}

/** Days as bars that are made of their engines. */
export function stackDays(days: readonly string[], used: readonly EngineDay[], measure: Measure): StackedDays {
  const engines = enginesOf(used, measure);
  const placeOf = new Map(engines.map((engine, place) => [engine, place]));
  const parts = new Map(days.map((date) => [date, engines.map(() => 0)]));
  for (const each of used) {
    const ofDay = parts.get(each.day);
    const place = placeOf.get(each.engine) ?? engines.length - 1;
    if (ofDay) ofDay[place] = (ofDay[place] ?? 0) + each[measure];
  }
  const stacks = [...parts].map(([date, ofDay]) => ({ date, parts: ofDay, total: sum(ofDay) }));
  const top = Math.max(0, ...stacks.map(({ total }) => total));
  return { engines, stacks, ticks: ticksTo(top, measure === 'cost' ? 0 : 1) };
}

function enginesOf(used: readonly EngineDay[], measure: Measure): readonly string[] {
  const sums = new Map<string, number>();
  for (const each of used) sums.set(each.engine, (sums.get(each.engine) ?? 0) + each[measure]);
  const byUse = [...sums].toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).map(([engine]) => engine);
  return byUse.length <= MOST_ENGINES ? byUse : [...byUse.slice(0, MOST_ENGINES - 1), OTHERS];
}

/** Round numbers from 0 to the first that is not below `top`, some four steps of at least `leastStep`. */
export function ticksTo(top: number, leastStep = 0): readonly number[] {
  if (top <= 0) return [0];
  const rough = top / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999_999) ?? 10;
  const step = Math.max(leastStep, round * power);
  const steps = Math.ceil(top / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, n) => n * step);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
