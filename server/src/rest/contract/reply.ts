import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ErrorCode } from '../../platform/errors.ts';
import type { Sender } from '../body/read-body.ts';
import type { Operation } from './contract.ts';

/** A call of an operation that was matched, authorised and checked by the contract. */
export interface Call {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Refusals of items of the body, by their index; the body has a valid item in the place of each. */
  readonly refusals?: ReadonlyMap<number, Refusal>;
}

/** An error in the form that a GraphQL document takes. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A call of an operation before it is checked by the contract. */
export type Given = Omit<Call, 'operation' | 'refusals'>;

/** An answer. An object is sent as JSON; a string and a stream go out as they are, with their own content type. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string | StreamedBody;
}

/** A body that is never in memory as a whole. The sender of the answer destroys the stream. */
export interface StreamedBody {
  readonly stream: Readable;
  /** Length in bytes; null where it is unknown before the end. */
  readonly length: number | null;
}

export function isStreamed(body: Reply['body']): body is StreamedBody {
  return typeof body === 'object' && 'stream' in body && body.stream instanceof Readable;
}

/** Gives data of a GraphQL answer the form of the JSON body of this status, 200 unless given, in the operation's contract. */
export type Present = (data: unknown, status?: number) => unknown;

/** The parts of an operation that differ from what all do. */
export interface Hook<Caller = unknown> {
  /** Checks a call that may be valid in parts. `check` throws for the first broken rule. */
  salvage?(given: Given, check: (given: Given) => Call): Call;
  /**
   * Receives the body itself, as it comes in, and gives the variables of the GraphQL document. The hook then sets the limits of
   * the body (bytes, time, standstill).
   */
  receive?(req: IncomingMessage, call: Call, sender: Sender<Caller>): Promise<Record<string, unknown>>;
  /** Gives the variables of the GraphQL document. */
  variables?(call: Call): Record<string, unknown>;
  /** Makes the answer from the `result` of the GraphQL document. */
  reply?(result: Record<string, unknown>, present: Present, call: Call): Reply | Promise<Reply>;
  /**
   * Whether the answer is the same for every caller as long as the process runs: it is rendered once for each spelling of its
   * URL.
   */
  fixed?: boolean;
  /** Whether any query is accepted; none of it is looked at. */
  anyQuery?: boolean;
  /** Whether a JSON answer commits its headers early when it takes long. */
  slow?(call: Call): boolean;
}
