import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import type { OverviewChangeQuery, OverviewQuery } from '../../documents.generated.ts';

type Figures = OverviewQuery['overview'];
type Change = OverviewChangeQuery['periodComparison'];

/** Of what is compared with before: the hour that runs would only be a part of one. */
export const WHOLE_HOURS = 'Whole hours are compared with as many before';
const HOURS_OF_DAY = 24;
/** A change that is smaller is none. */
const LEAST_CHANGE = 0.01;

/** Runs on engines, and the errors that are the engines' own: a request may have several runs, and fail without one. */
export function runsWords({
  requests,
  errorRate,
  refused,
}: Pick<Figures, 'requests' | 'errorRate' | 'refused'>): string {
  const runs = requests === 0 ? 'no runs on engines' : `${plural(requests, 'run')}, ${share(errorRate)} engine errors`;
  return refused === 0 ? runs : `${runs}, ${plural(refused, 'call')} refused`;
}

/** What runs without a text cost at their providers, whatever became of their requests. */
export function failuresWords({ chargedOnFailures }: Pick<Figures, 'chargedOnFailures'>): string {
  return `${money(chargedOnFailures)} of it for attempts that failed, at cost`;
}

/**
 * How long pages took in whole hours and in as many before; empty where nothing is known of them. What is shown, with the hour
 * that runs, may differ the other way: then what is compared is named.
 */
export function latencyChange({ hours, latest, before }: Change, shownMs: number | null): string {
  if (before?.p95Ms == null || latest.p95Ms === null) return '';
  const named = namedUnlessShown(duration(latest.p95Ms), duration(shownMs));
  const words = changeWords(latest.p95Ms, before.p95Ms, ['longer than', 'less than', 'as long as']);
  return `${named}${words} ${beforeWords(hours)} (${duration(before.p95Ms)})`;
}

/** How much was charged in them. */
export function chargeChange({ hours, latest, before }: Change, shownUsd: number): string {
  if (before === null || before.spent === 0) return '';
  const named = namedUnlessShown(money(latest.spent), money(shownUsd));
  const words = changeWords(latest.spent, before.spent, ['more than', 'less than', 'as much as']);
  return `${named}${words} ${beforeWords(hours)} (${money(before.spent)})`;
}

/** How many runs there were in them, and how many of those failed. */
export function runsChange({ hours, latest, before }: Change): string {
  if (before === null || before.requests === 0) return '';
  const words = changeWords(latest.requests, before.requests, ['more than', 'fewer than', 'as many as']);
  return `${words} ${beforeWords(hours)}, which had ${share(before.errorRate)} errors`;
}

function changeWords(now: number, before: number, [more, less, same]: readonly [string, string, string]): string {
  const change = (now - before) / before;
  if (Math.abs(change) < LEAST_CHANGE) return same;
  return `${share(Math.abs(change), 0)} ${change > 0 ? more : less}`;
}

function namedUnlessShown(compared: string, shown: string): string {
  return compared === shown ? '' : `${compared} in whole hours, `;
}

function beforeWords(hours: number): string {
  if (hours === 1) return 'in the hour before';
  return hours <= HOURS_OF_DAY ? `in the ${hours} h before` : `in the ${hours / HOURS_OF_DAY} days before`;
}
