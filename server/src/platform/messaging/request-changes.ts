import { TurnBudget } from '../turns/turn-budget.ts';
import { Audience } from './audience.ts';
import type { Broadcast } from './broadcast.ts';
import type { LiveStream } from './live-stream.ts';

/** A request has changed: its ids and state, for subscribers. */
export interface RequestChange {
  readonly requestId: string;
  readonly accountId: string;
  readonly engine: string;
  readonly mode: string;
  readonly status: string;
  readonly outcome: string;
  /** When it changed, ISO 8601: `changedSince` lists later changes. */
  readonly cursor: string;
}

const EVERY_ACCOUNT = '*';
/** Subscribers that are told in one turn of the event loop: each of them executes its operation then. */
const TOLD_IN_A_TURN = 16;

/** Publishes changes of requests to subscribers in every process. To be called after the commit of a change. */
export class RequestChanges {
  readonly #broadcast: Broadcast;
  readonly #audiences = new Map<string, Audience<RequestChange>>();
  readonly #turns = new TurnBudget(TOLD_IN_A_TURN);

  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
    broadcast.onMessage((message) => {
      if (isRequestChange(message)) this.#deliver(message);
    });
  }

  /** `change` is called only where there may be a subscriber. */
  publish(change: () => RequestChange): void {
    if (this.#audiences.size === 0 && !this.#broadcast.reachesOthers) return;
    const made = change();
    this.#deliver(made);
    this.#broadcast.send(made);
  }

  /** The changes from now on: of one account (null: of all), and of one request where it is named. */
  subscribe(accountId: string | null, requestId: string | null = null): LiveStream<RequestChange> {
    const topic = accountId ?? EVERY_ACCOUNT;
    const audience = this.#audiences.get(topic) ?? new Audience<RequestChange>(this.#turns);
    this.#audiences.set(topic, audience);
    return audience.join(requestId, () => {
      if (audience.isEmpty && this.#audiences.get(topic) === audience) this.#audiences.delete(topic);
    });
  }

  #deliver(change: RequestChange): void {
    for (const topic of [change.accountId, EVERY_ACCOUNT]) this.#audiences.get(topic)?.tell(change);
  }
}

const FIELDS = ['requestId', 'accountId', 'engine', 'mode', 'status', 'outcome', 'cursor'] as const;

/** A process of another version may send other messages. */
function isRequestChange(message: unknown): message is RequestChange {
  if (typeof message !== 'object' || message === null) return false;
  const fields = message as Partial<Record<string, unknown>>; // looked at next
  return FIELDS.every((field) => typeof fields[field] === 'string');
}
