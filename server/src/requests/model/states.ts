import type { RequestStatus } from './request-enums.ts';

/** Work on the request is to come, or under way. */
export const OPEN_STATES = ['queued', 'processing'] as const satisfies readonly RequestStatus[];
/** The request has ended: nothing of its state changes any more. */
export const FINAL_STATES = ['succeeded', 'partial', 'failed', 'rejected'] as const satisfies readonly RequestStatus[];

/** The request gave no text: it failed, or was rejected before any engine ran. Usage counts these as `failed`. */
export const NOT_READ_STATES = ['failed', 'rejected'] as const satisfies readonly RequestStatus[];

type OpenState = (typeof OPEN_STATES)[number];
export type FinalState = (typeof FINAL_STATES)[number];

interface Transition {
  /** None for a request that is made by it. */
  readonly from: readonly OpenState[];
  readonly to: readonly RequestStatus[];
}

/** Every change of state there is. Each statement that makes one names it; `states.test.ts` finds those that do not. */
export const TRANSITIONS = {
  /** Accepted, to wait in the queue. */
  enqueue: { from: [], to: ['queued'] },
  /** Accepted, and at work in the same process at once. */
  start: { from: [], to: ['processing'] },
  /** A process takes it from the queue, under a lease. */
  claim: { from: ['queued'], to: ['processing'] },
  /** A process that stops gives it back. */
  handBack: { from: ['processing'], to: ['queued'] },
  /** The process that held its lease is gone, or could not bring it to an end. */
  requeue: { from: ['processing'], to: ['queued'] },
  /** Nothing may run it again: the next sweep ends it. */
  seize: { from: ['queued', 'processing'], to: ['processing'] },
  /** Settled: state, pages, attempts and money in one statement. */
  end: { from: ['queued', 'processing'], to: ['succeeded', 'partial', 'failed', 'rejected'] },
} as const satisfies Record<string, Transition>;

/** What SQL may assume of an open request, without asking for its status: the columns change together. */
export const IS_OPEN = 'finished_at is null';

/** That a request was not read, as a condition of SQL, for a statement in which `status` is the request's; `row` is how that calls the row. */
export function notReadSql(row?: string): string {
  const states = NOT_READ_STATES.map((state) => `'${state}'`).join(', ');
  return `${row === undefined ? '' : `${row}.`}status in (${states})`;
}

/** A transition as SQL, for a statement that makes it. */
export interface TransitionSql {
  /** A literal: the state that it leads to. */
  readonly to: string;
  /** A condition: the row is in a state from which it may be made. */
  readonly from: string;
  /** The same, in a form that no index of a status serves: for rows that are looked up by their ids. */
  readonly fromOfRow: string;
}

/** `row`: how the statement calls the row. Not for `end`, whose target comes with each item. */
export function transitionSql(name: Exclude<keyof typeof TRANSITIONS, 'end'>, row?: string): TransitionSql {
  const { from, to } = TRANSITIONS[name];
  const prefix = row === undefined ? '' : `${row}.`;
  const condition = (equals: string) =>
    from.length === 1 ? `${prefix}status ${equals} '${from[0]}'` : `${prefix}${IS_OPEN}`;
  return { to: `'${to[0]}'`, from: condition('='), fromOfRow: condition('is not distinct from') };
}

/** Whether a request, or a run of it, that ended so was read, if only in part. */
export function isRead(status: string): status is 'succeeded' | 'partial' {
  return status === 'succeeded' || status === 'partial';
}

export function isFinal(status: RequestStatus): status is FinalState {
  return status !== 'queued' && status !== 'processing';
}
