import type { Broadcast } from './broadcast.ts';
import { LiveStream } from './live-stream.ts';

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

interface Subscriber {
  readonly stream: LiveStream<RequestChange>;
  /** Null for the changes of every request. */
  readonly requestId: string | null;
}

const EVERY_ACCOUNT = '*';

/** Publishes changes of requests to subscribers in every process. To be called after the commit of a change. */
export class RequestChanges {
  readonly #broadcast: Broadcast;
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
    broadcast.onMessage((message) => {
      if (isRequestChange(message)) this.#deliver(message);
    });
  }

  /** `change` is called only where there may be a subscriber. */
  publish(change: () => RequestChange): void {
    if (this.#subscribers.size === 0 && !this.#broadcast.reachesOthers) return;
    const made = change();
    this.#deliver(made);
    this.#broadcast.send(made);
  }

  /** The changes from now on: of one account (null: of all), and of one request where it is named. */
  subscribe(accountId: string | null, requestId: string | null = null): LiveStream<RequestChange> {
    const topic = accountId ?? EVERY_ACCOUNT;
    const subscribers = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, subscribers);
    const stream = new LiveStream<RequestChange>(() => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#subscribers.get(topic) === subscribers) this.#subscribers.delete(topic);
    });
    const subscriber = { stream, requestId };
    subscribers.add(subscriber);
    return stream;
  }

  #deliver(change: RequestChange): void {
    for (const topic of [change.accountId, EVERY_ACCOUNT]) {
      for (const { stream, requestId } of this.#subscribers.get(topic) ?? []) {
        if (requestId === null || requestId === change.requestId) stream.push(change);
      }
    }
  }
}

const FIELDS = ['requestId', 'accountId', 'engine', 'mode', 'status', 'outcome', 'cursor'] as const;

/** A process of another version may send other messages. */
function isRequestChange(message: unknown): message is RequestChange {
  if (typeof message !== 'object' || message === null) return false;
  const fields = message as Partial<Record<string, unknown>>; // looked at next
  return FIELDS.every((field) => typeof fields[field] === 'string');
}
