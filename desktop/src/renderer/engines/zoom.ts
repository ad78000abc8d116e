import {
  type DayBucket,
  everyHour,
  everyLatencyDay,
  type HourBucket,
  type TimeSlot,
} from '@ocr-router/ui/charts/hours.ts';
import { BY_DAY, BY_HOUR, type Step } from '@ocr-router/ui/charts/step.ts';

const HOUR_MS = 3_600_000;
/** Hours are what latency is kept by: one alone is a point and no line. */
const LEAST_HOURS = 24;
/** As far back as the gateway answers. */
const MOST_HOURS = 720;
/** As the questions for days have it: the time range with the most. */
const DAYS = 30;
/** Of more hours than a week has, each by itself is noise, and narrower than a finger. */
const MOST_BY_HOUR = 168;
const LEAST_SLOTS = 2;

/** A part of a chart that was drawn over, from the start of one hour or day to the end of another. */
export interface Zoom {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The zoom as the address has it: two ISO times with `~` between them. */
export function readZoom(text: string | null): Zoom | null {
  const [fromMs = Number.NaN, toMs = Number.NaN] = (text ?? '').split('~').map((part) => Date.parse(part));
  return fromMs < toMs ? { fromMs, toMs } : null;
}

export function writeZoom({ fromMs, toMs }: Zoom): string {
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString()).join('~');
}

/** What the columns of a chart are: days where there would be too many hours. */
export function stepOf(rangeHours: number, zoom: Zoom | null): Step {
  const hours = zoom === null ? rangeHours : (zoom.toMs - zoom.fromMs) / HOUR_MS;
  return hours > MOST_BY_HOUR ? BY_DAY : BY_HOUR;
}

/** What a part of a chart that was drawn over stands for. */
export function wholeSteps(part: Zoom, step: Step): Zoom {
  return step === BY_DAY ? wholeDays(part) : wholeHours(part);
}

/** The days whose columns were touched; a column stands around the beginning of its day. */
function wholeDays({ fromMs, toMs }: Zoom): Zoom {
  const dayOf = (ms: number) => Math.round(ms / BY_DAY.ms) * BY_DAY.ms;
  return { fromMs: dayOf(fromMs), toMs: dayOf(toMs) + BY_DAY.ms };
}

/** The whole hours that a part of a chart touches, two at least. */
function wholeHours({ fromMs, toMs }: Zoom): Zoom {
  const first = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  const last = Math.ceil(toMs / HOUR_MS) * HOUR_MS;
  return { fromMs: first, toMs: Math.max(last, first + LEAST_SLOTS * HOUR_MS) };
}

/** The hours to ask for: those of the time range, and as far back as the zoom goes. */
export function hoursToAsk(rangeHours: number, zoom: Zoom | null, nowMs: number): number {
  const back = zoom === null ? 0 : Math.ceil((nowMs - zoom.fromMs) / HOUR_MS) + 1;
  return Math.min(MOST_HOURS, Math.max(LEAST_HOURS, rangeHours, back));
}

/** What was answered of a chart: hours or days, as they were asked for. */
export interface Buckets {
  readonly hourly?: readonly HourBucket[] | undefined;
  readonly daily?: readonly DayBucket[] | undefined;
}

interface Shown {
  readonly step: Step;
  readonly rangeHours: number;
  /** Hours that were asked for. */
  readonly hours: number;
  readonly zoom: Zoom | null;
  readonly nowMs: number;
}

/** The slots of the zoom; without one those of the range. */
export function slotsShown({ hourly = [], daily = [] }: Buckets, shown: Shown): readonly TimeSlot[] {
  const { step, rangeHours, hours, zoom, nowMs } = shown;
  const slots = step === BY_DAY ? everyLatencyDay(daily, DAYS, nowMs) : everyHour(hourly, hours, nowMs);
  if (zoom !== null) return slots.filter(({ atMs }) => atMs >= zoom.fromMs && atMs < zoom.toMs);
  return step === BY_DAY ? slots : slots.slice(-Math.max(LEAST_HOURS, rangeHours));
}
