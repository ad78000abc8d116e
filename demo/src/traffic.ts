import { ACCOUNTS, type DemoAccount, type DemoEngine, ENGINES } from './cast.ts';
import { Dice } from './dice.ts';
import { type Ending, endingOf } from './endings.ts';
import { idAt } from './id-at.ts';
import { isDown } from './incidents.ts';
import { pageText } from './page-text.ts';

const HOUR_MS = 3_600_000;
/** A mean hour of the whole gateway; twenty thousand requests in thirty days. */
const REQUESTS_AN_HOUR = 27.8;
/** How busy each hour of a working day is, UTC, against the mean. */
const BUSY = [3, 2, 2, 2, 3, 5, 9, 16, 26, 31, 30, 28, 24, 28, 31, 30, 26, 20, 14, 10, 8, 6, 5, 4].map((n) => n / 15);
const WEEKEND = 0.35;
/** Most documents are short. */
const PAGES = [
  { pages: 1, weight: 70 },
  { pages: 2, weight: 14 },
  { pages: 3, weight: 8 },
  { pages: 5, weight: 5 },
  { pages: 12, weight: 3 },
];

/** One request of the demo with everything that is stored of it. */
export interface DemoRequest extends Ending {
  readonly id: string;
  readonly account: DemoAccount;
  readonly keyLabel: string;
  readonly engine: DemoEngine;
  readonly mode: 'sync' | 'async';
  readonly isUrl: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly documentMs: number | null;
  readonly renderMs: number;
  readonly attemptId: string;
  readonly pagesTotal: number;
  readonly texts: readonly string[];
}

/** The requests of one hour, in order: the same ones whenever and however often that hour is made. `share` is of the usual. */
export function trafficOf(hour: number, seed: string, share = 1): DemoRequest[] {
  const dice = new Dice(seed, 'hour', hour / HOUR_MS);
  const at = new Date(hour);
  const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6;
  const expected = share * REQUESTS_AN_HOUR * (BUSY[at.getUTCHours()] ?? 1) * (isWeekend ? WEEKEND : 1.25);
  const count = Math.floor(expected * (0.85 + 0.3 * dice.next()) + dice.next());
  return Array.from({ length: count }, () => hour + dice.next() * HOUR_MS)
    .sort((a, b) => a - b)
    .map((createdAt) => requestAt(Math.floor(createdAt), dice));
}

function requestAt(createdAt: number, dice: Dice): DemoRequest {
  const account = dice.pick(ACCOUNTS);
  const engine = dice.pick(ENGINES);
  const mode = dice.happens(account.asyncShare) ? 'async' : 'sync';
  const isUrl = mode === 'async' && dice.happens(0.5);
  const pagesTotal = dice.pick(PAGES).pages;
  const ending = endingOf(engine, { pages: pagesTotal, isDown: isDown(engine.id, createdAt), dice });
  const waitedMs = mode === 'async' ? Math.round(dice.skewed(180, 1.1)) : 1;
  const documentMs = isUrl ? Math.round(dice.skewed(260, 0.7)) : null;
  const renderMs = engine.id === 'pdf-text' ? 0 : Math.round(dice.skewed(42, 0.4) * pagesTotal);
  const startedAt = createdAt + waitedMs;
  const finishedAt = startedAt + (documentMs ?? 0) + renderMs + (ending.latencyMs ?? 0) + dice.between(4, 15);
  const readsText = ending.pages > 0 && account.history;
  return {
    ...ending,
    id: idAt('ocr_', createdAt, () => dice.next()),
    attemptId: idAt('att_', createdAt, () => dice.next()),
    account,
    keyLabel: dice.pick(account.keys).label,
    engine,
    mode,
    isUrl,
    createdAt,
    startedAt,
    finishedAt,
    documentMs,
    renderMs,
    pagesTotal,
    texts: Array.from({ length: ending.pages }, () => (readsText ? pageText(dice) : '')),
  };
}
