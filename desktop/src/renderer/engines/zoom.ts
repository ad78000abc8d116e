import type { HourSlot } from '@ocr-router/ui/charts/hours.ts';

const HOUR_MS = 3_600_000;
/** Hours are what latency is kept by: one alone is a point and no line. */
const LEAST_HOURS = 24;
/** As far back as the gateway answers. */
const MOST_HOURS = 720;
const LEAST_SLOTS = 2;

/** A part of a chart that was drawn over, from the start of one hour to the end of another. */
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

/** The whole hours that a part of a chart touches, two at least. */
export function wholeHours({ fromMs, toMs }: Zoom): Zoom {
  const first = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  const last = Math.ceil(toMs / HOUR_MS) * HOUR_MS;
  return { fromMs: first, toMs: Math.max(last, first + LEAST_SLOTS * HOUR_MS) };
}

/** The hours to ask for: those of the time range, and as far back as the zoom goes. */
export function hoursToAsk(rangeHours: number, zoom: Zoom | null, nowMs: number): number {
  const back = zoom === null ? 0 : Math.ceil((nowMs - zoom.fromMs) / HOUR_MS) + 1;
  return Math.min(MOST_HOURS, Math.max(LEAST_HOURS, rangeHours, back));
}

/** The slots of the zoom; without one those of the range. */
export function slotsShown(slots: readonly HourSlot[], rangeHours: number, zoom: Zoom | null): readonly HourSlot[] {
  if (zoom === null) return slots.slice(-Math.max(LEAST_HOURS, rangeHours));
  return slots.filter(({ atMs }) => atMs >= zoom.fromMs && atMs < zoom.toMs);
}
