import type { Broadcast } from './broadcast.ts';
import { LiveStream } from './live-stream.ts';

/** That a request has changed: ids and small facts, for those who watch it. */
export interface RequestChange {
  readonly requestId: string;
  readonly accountId: string;
  readonly engine: string;
  readonly mode: string;
  readonly status: string;
  readonly outcome: string;
  /** When it changed, ISO 8601: what came later can be asked for by it. */
  readonly cursor: string;
}

interface Watcher {
  readonly stream: LiveStream<RequestChange>;
  /** One request only, where it is named. */
  readonly requestId: string | null;
}

const EVERY_ACCOUNT = '*';

/** Passes on, to the subscribers of this process, what happened to requests in any process; after the commit. */
export class RequestChanges {
  readonly #broadcast: Broadcast;
  readonly #watchers = new Map<string, Set<Watcher>>();

  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
    broadcast.onMessage((message) => {
      if (isRequestChange(message)) this.#tell(message);
    });
  }

  /** `change` is made only where there is a subscriber. */
  tell(news: () => RequestChange): void {
    if (this.#watchers.size === 0 && !this.#broadcast.reachesOthers) return;
    const made = news();
    this.#tell(made);
    this.#broadcast.send(made);
  }

  /** The news of one account, or of every account for null, from now on; of one request only where it is named. */
  watch(accountId: string | null, requestId: string | null = null): LiveStream<RequestChange> {
    const topic = accountId ?? EVERY_ACCOUNT;
    const watchers = this.#watchers.get(topic) ?? new Set();
    this.#watchers.set(topic, watchers);
    const stream = new LiveStream<RequestChange>(() => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(topic) === watchers) this.#watchers.delete(topic);
    });
    const watcher = { stream, requestId };
    watchers.add(watcher);
    return stream;
  }

  #tell(news: RequestChange): void {
    for (const topic of [news.accountId, EVERY_ACCOUNT]) {
      for (const { stream, requestId } of this.#watchers.get(topic) ?? []) {
        if (requestId === null || requestId === news.requestId) stream.push(news);
      }
    }
  }
}

const FIELDS = ['requestId', 'accountId', 'engine', 'mode', 'status', 'outcome', 'cursor'] as const;

/** A process of another version may tell something else. */
function isRequestChange(message: unknown): message is RequestChange {
  if (typeof message !== 'object' || message === null) return false;
  const told = message as Partial<Record<string, unknown>>; // looked at next
  return FIELDS.every((field) => typeof told[field] === 'string');
}
