import { type ExecutionArgs, type ExecutionResult, subscribe } from 'graphql';
import { LiveStream } from '../../platform/messaging/live-stream.ts';
import { TurnBudget } from '../../platform/turns/turn-budget.ts';

/** Subscriptions that can be shared: they begin with their first event, so that a later subscriber has missed nothing. */
const SHARED = new Set(['jobFeed', 'requestsChanged']);

/** Members that are sent to, or end, in one turn of the event loop. */
const SENT_IN_A_TURN = 32;

/** Takes one result: its JSON, or the bytes of a whole message. */
export type Receiver = (result: string | Buffer) => void;

type Members = Map<LiveStream<ExecutionResult>, Receiver>;

interface Feed {
  readonly source: AsyncGenerator<ExecutionResult, void, void>;
  readonly members: Members;
}

/**
 * Serves subscribers that ask the same and may see the same together: each event is executed and written as JSON once, however
 * many they are. Results go straight to a member's receiver; the stream that it iterates over only ends.
 */
export class SharedFeeds {
  readonly #format: (result: ExecutionResult) => ExecutionResult;
  readonly #feeds = new Map<string, Promise<Feed | ExecutionResult>>();
  readonly #turns = new TurnBudget(SENT_IN_A_TURN);

  /** `format` gives a result the form that callers are shown. */
  constructor(format: (result: ExecutionResult) => ExecutionResult) {
    this.#format = format;
  }

  static canShare(rootFields: readonly { readonly name: { readonly value: string } }[]): boolean {
    return rootFields.length === 1 && SHARED.has(rootFields[0]?.name.value ?? '');
  }

  /**
   * Joins the feed of this key, which names the audience and the operation: subscribers with the same key get the same results.
   */
  async join(
    key: string,
    args: ExecutionArgs,
    receiver: Receiver,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const opening = this.#feeds.get(key) ?? this.#open(key, args);
    const feed = await opening;
    if (!('members' in feed)) return feed;
    // The last member may have left while this one waited; the feed has ended then.
    if (this.#feeds.get(key) !== opening) return this.join(key, args, receiver);
    const stream = new LiveStream<ExecutionResult>((ended) => {
      feed.members.delete(ended);
      if (feed.members.size === 0) this.#close(key, opening, feed);
    });
    feed.members.set(stream, receiver);
    return stream;
  }

  #open(key: string, args: ExecutionArgs): Promise<Feed | ExecutionResult> {
    const opening: Promise<Feed | ExecutionResult> = subscribe(args).then((source) => {
      if (!(Symbol.asyncIterator in source)) {
        this.#forget(key, opening);
        return source;
      }
      const feed: Feed = { source, members: new Map() };
      void this.#run(feed).finally(() => this.#close(key, opening, feed));
      return feed;
    });
    opening.catch(() => this.#forget(key, opening));
    this.#feeds.set(key, opening);
    return opening;
  }

  async #run({ source, members }: Feed): Promise<void> {
    try {
      for await (const result of source) {
        const text = JSON.stringify(this.#format(result));
        await this.#each(members, (_member, receive) => receive(text));
      }
    } catch {
      // A feed that breaks ends for its members, who subscribe anew and ask for what they missed.
    }
  }

  #close(key: string, opening: Promise<unknown>, { source, members }: Feed): void {
    this.#forget(key, opening);
    void this.#each(members, (member) => void member.return());
    void source.return();
  }

  /** Does something for each member: some in each turn, and nothing for those that have left meanwhile. */
  async #each(members: Members, act: (member: LiveStream<ExecutionResult>, receive: Receiver) => void): Promise<void> {
    for (const [member, receive] of [...members]) {
      while (members.has(member) && !this.#turns.take()) await this.#turns.next();
      if (members.has(member)) act(member, receive);
    }
  }

  /** Removes the feed, unless another one has the key by now. */
  #forget(key: string, opening: Promise<unknown>): void {
    if (this.#feeds.get(key) === opening) this.#feeds.delete(key);
  }
}
