import type { ConnectionName, ConnectionState, GraphqlOperation, GraphqlResult } from '../../shared/channels.ts';
import type { Gateway } from '../profiles/profile-store.ts';
import { Refused } from '../refused.ts';
import { ask } from './ask.ts';
import { documentKind } from './document-kind.ts';
import { GatewaySocket, type Sink } from './gateway-socket.ts';
import { httpProof } from './http-proof.ts';

/** The gateway does not accept the token, or no longer: trying again would change nothing. */
const UNAUTHORISED_CODES = [4401, 4403];

/** The protocol's code for a connection that ended without one. */
const NO_CODE = 1006;

/** For this long an answer over HTTP counts as a proof that the gateway behind the socket answers, too. */
const PROOF_HOLDS_MS = 30_000;

export interface LinkTools {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly backOffMs: (failures: number) => number;
  readonly onState: (state: ConnectionState) => void;
}

interface Subscription {
  readonly operation: GraphqlOperation;
  readonly sink: Sink;
  end: () => void;
}

/**
 * The connection to one gateway at a time: calls over HTTP, subscriptions over a socket that is opened again when it ends. It
 * is live while both answer, since a socket may outlive its listener. It belongs to the core and not to the page,
 * because the alerts need it while no page is open, and because a page that held the socket would need the token, or a
 * port on this machine that adds it.
 */
export class GatewayLink implements Disposable {
  readonly #tools: LinkTools;
  readonly #subscriptions = new Set<Subscription>();
  #gateway: Gateway | null = null;
  #socket: GatewaySocket | null = null;
  /** The socket for which an answer over HTTP is awaited. */
  #proving: GatewaySocket | null = null;
  #provenAtMs = 0;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #calls = new AbortController();
  #state: ConnectionState;

  constructor(tools: LinkTools) {
    this.#tools = tools;
    this.#state = { state: 'offline', since: this.#timestamp(), retryAt: null, roundTripMs: null };
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get gateway(): Gateway | null {
    return this.#gateway;
  }

  /** Goes to another gateway, and drops all that was asked of the former one. For the same profile subscriptions stay. */
  open(gateway: Gateway | null): void {
    const before = this.#gateway;
    const isSameProfile = gateway !== null && gateway.profile.id === before?.profile.id;
    const isSameWay = isSameProfile && gateway.profile.url === before?.profile.url && gateway.token === before.token;
    this.#gateway = gateway;
    if (isSameWay) return;
    this.#hangUp();
    this.#failures = 0;
    if (!isSameProfile) this.#leave();
    if (gateway) this.#connect('connecting');
    else this.#tell('offline');
  }

  /** Tries now: the machine woke up, the network changed, or somebody is impatient. */
  retry(): void {
    if (!this.#gateway) return;
    this.#hangUp();
    this.#failures = 0;
    this.#connect('connecting');
  }

  async execute(operation: GraphqlOperation): Promise<GraphqlResult> {
    const gateway = this.#gateway;
    if (!gateway) throw new Refused('No gateway is chosen.');
    const kind = documentKind(operation.query);
    if (kind === 'subscription') throw new Refused('A subscription cannot be executed.');
    if (kind === 'mutation' && gateway.profile.readOnly) return { errors: [readOnlyError(gateway)] };
    const { status, ...result } = await ask(gateway, operation, {
      fetch: this.#tools.fetch,
      signal: this.#calls.signal,
    }).catch((cause: unknown) => {
      if (cause instanceof Refused) throw cause;
      if (gateway === this.#gateway && this.#state.state === 'live') void this.#prove();
      throw new Error('The gateway cannot be reached.', { cause });
    });
    if (status === 401 && gateway === this.#gateway) this.#refuse();
    return result;
  }

  /** The returned function ends the subscription. */
  subscribe(operation: GraphqlOperation, sink: Sink): () => void {
    if (!this.#gateway) throw new Refused('No gateway is chosen.');
    if (documentKind(operation.query) !== 'subscription') throw new Refused('Only a subscription can be subscribed.');
    const subscription: Subscription = { operation, sink, end: () => {} };
    this.#subscriptions.add(subscription);
    if (this.#state.state === 'live') this.#begin(subscription);
    return () => {
      if (this.#subscriptions.delete(subscription)) subscription.end();
    };
  }

  [Symbol.dispose](): void {
    this.open(null);
  }

  #leave(): void {
    this.#calls.abort(new Refused('Another gateway was chosen.'));
    this.#calls = new AbortController();
    const left = [...this.#subscriptions];
    this.#subscriptions.clear();
    for (const { sink } of left) sink.complete();
  }

  #connect(state: ConnectionName): void {
    const gateway = this.#gateway;
    if (!gateway) return;
    this.#tell(state);
    const socket = new GatewaySocket(gateway, {
      onOpen: () => {
        if (socket === this.#socket) void this.#prove();
      },
      onPong: () => {
        const isStale = this.#tools.now() - this.#provenAtMs > PROOF_HOLDS_MS;
        if (socket === this.#socket && isStale) void this.#prove();
      },
      onEnd: (code) => {
        if (socket === this.#socket) this.#lost(code);
      },
    });
    this.#socket = socket;
  }

  /** Asks over HTTP whether the gateway is there, and goes by the answer. */
  async #prove(): Promise<void> {
    const gateway = this.#gateway;
    const socket = this.#socket;
    if (!gateway || !socket || this.#proving === socket) return;
    this.#proving = socket;
    const proof = await httpProof(gateway, { fetch: this.#tools.fetch, signal: this.#calls.signal });
    if (this.#proving === socket) this.#proving = null;
    if (socket !== this.#socket) return; // it ended meanwhile, and another one asks for itself
    if (proof.kind === 'answers') this.#live(proof.roundTripMs);
    else if (proof.kind === 'refuses') this.#refuse();
    else {
      this.#hangUp();
      this.#lost(NO_CODE);
    }
  }

  #live(roundTripMs: number): void {
    const begins = this.#state.state !== 'live';
    this.#failures = 0;
    this.#provenAtMs = this.#tools.now();
    this.#tell('live', { roundTripMs });
    if (!begins) return;
    for (const subscription of this.#subscriptions) this.#begin(subscription);
  }

  #begin(subscription: Subscription): void {
    const { operation, sink } = subscription;
    const over = () => this.#subscriptions.delete(subscription);
    subscription.end =
      this.#socket?.subscribe(operation, {
        next: (result) => sink.next(result),
        error: (errors) => {
          if (over()) sink.error(errors);
        },
        complete: () => {
          if (over()) sink.complete();
        },
      }) ?? (() => {});
  }

  #lost(code: number): void {
    this.#socket = null;
    if (UNAUTHORISED_CODES.includes(code)) {
      this.#tell('unauthorised');
      return;
    }
    this.#failures += 1;
    const waitMs = this.#tools.backOffMs(this.#failures);
    this.#retry = setTimeout(() => this.#connect('offline'), waitMs);
    this.#tell('offline', { retryAt: new Date(this.#tools.now() + waitMs).toISOString() });
  }

  #refuse(): void {
    this.#hangUp();
    this.#tell('unauthorised');
  }

  #hangUp(): void {
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = null;
  }

  #tell(state: ConnectionName, more: Partial<Pick<ConnectionState, 'retryAt' | 'roundTripMs'>> = {}): void {
    const since = this.#state.state === state ? this.#state.since : this.#timestamp();
    this.#state = { state, since, retryAt: null, roundTripMs: null, ...more };
    this.#tools.onState(this.#state);
  }

  #timestamp(): string {
    return new Date(this.#tools.now()).toISOString();
  }
}

function readOnlyError({ profile }: Gateway) {
  return { message: `The profile “${profile.name}” is read-only.`, extensions: { code: 'read_only' } };
}
