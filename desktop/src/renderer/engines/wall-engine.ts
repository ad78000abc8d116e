import { type CheckedDay, type DaySlot, everyDay } from '@ocr-router/ui/charts/days.ts';
import { everyHour, type TimeSlot } from '@ocr-router/ui/charts/hours.ts';
import { compareStates, type EngineState, engineState } from '@ocr-router/ui/status/engine-state.ts';
import type { EngineWallQuery } from '../../documents.generated.ts';

type Answered = EngineWallQuery['engines'][number];

/** An engine as the wall shows it. */
export interface WallEngine extends Omit<Answered, 'latency'> {
  readonly state: EngineState;
  readonly pinned: boolean;
  readonly hours: readonly TimeSlot[];
  readonly days: readonly DaySlot[];
  /** Its part of all that waits or is at work, 0 to 1; null while nothing is. */
  readonly queueShare: number | null;
}

interface WallChoices {
  readonly pins: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The engines of the wall: pinned ones first, then the worst, then by their errors, then by name. */
export function wallEngines({ engines, queues }: EngineWallQuery, { pins, nowMs }: WallChoices): readonly WallEngine[] {
  const busy = new Map(queues.map(({ engineId, queued, running }) => [engineId, queued + running]));
  const all = [...busy.values()].reduce((sum, many) => sum + many, 0);
  return engines
    .map(({ latency, ...engine }) => ({
      ...engine,
      state: engineState({ health: engine.health.status, obstacle: engine.obstacle }),
      pinned: pins.has(engine.id),
      hours: everyHour(latency, 24, nowMs),
      days: everyDay(engine.uptime.data satisfies readonly CheckedDay[], 30, nowMs),
      queueShare: all === 0 ? null : (busy.get(engine.id) ?? 0) / all,
    }))
    .sort(byUrgency);
}

/** Shares within so much are as bad as each other: the wall does not reorder itself with every request. */
const RATE_STEP = 0.05;

function byUrgency(a: WallEngine, b: WallEngine): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  return compareStates(a.state, b.state) || rateStep(b) - rateStep(a) || a.name.localeCompare(b.name);
}

function rateStep({ window }: WallEngine): number {
  return Math.floor((window.errorRate ?? 0) / RATE_STEP);
}

export interface WallFilter {
  readonly text: string;
  readonly provider: string | null;
  readonly state: string | null;
  readonly nativePdf: boolean;
}

/** The engines that a filter leaves. */
export function filterWall(engines: readonly WallEngine[], filter: WallFilter): readonly WallEngine[] {
  const text = filter.text.trim().toLowerCase();
  return engines.filter(
    ({ id, name, provider, state, nativePdf }) =>
      `${id} ${name} ${provider}`.toLowerCase().includes(text) &&
      (filter.provider === null || provider === filter.provider) &&
      (filter.state === null || state === filter.state) &&
      (!filter.nativePdf || nativePdf),
  );
}
