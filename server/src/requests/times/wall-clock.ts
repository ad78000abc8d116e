import type { WallTimes } from './wall-times.type.ts';

/** What pages are busy with. Where pages do different things at one moment, the first of these counts. */
const ACTIVITIES = ['engine', 'render', 'place'] as const;
type Activity = (typeof ACTIVITIES)[number];

/** Divides the wall time of a run among activities. Its pages are at work side by side; no moment is counted twice. */
export class WallClock {
  readonly #now: () => number;
  readonly #active: Record<Activity, number> = { engine: 0, render: 0, place: 0 };
  readonly #spentMs: Record<Activity, number> = { engine: 0, render: 0, place: 0 };
  #sinceMs = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async during<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
    this.#count();
    this.#active[activity]++;
    try {
      return await work();
    } finally {
      this.#count();
      this.#active[activity]--;
    }
  }

  get times(): WallTimes {
    this.#count();
    const { engine, render, place } = this.#spentMs;
    return { engineMs: Math.round(engine), renderMs: Math.round(render), placeMs: Math.round(place) };
  }

  #count(): void {
    const nowMs = this.#now();
    const current = ACTIVITIES.find((activity) => this.#active[activity] > 0);
    if (current) this.#spentMs[current] += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
  }
}
