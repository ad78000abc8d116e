import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ErrorCode } from '../../platform/errors.ts';
import type { Sender } from '../body/read-body.ts';
import type { Operation } from './contract.ts';

/** A call of an operation that was matched, authorised and found valid. */
export interface Call {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Why parts of the body were refused, by their index; the body has something sound in their places. */
  readonly refusals?: ReadonlyMap<number, Refusal>;
}

/** An error as a GraphQL document takes it. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A call of an operation before its contract was held against it. */
export type Given = Omit<Call, 'operation' | 'refusals'>;

/** An answer: an object is JSON; a string and a stream go out as they are, with their own content type. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string | StreamedBody;
}

/** Bytes that are never in memory as a whole. The sender of the answer destroys the stream. */
export interface StreamedBody {
  readonly stream: Readable;
  /** In bytes; null where it is not known before the end. */
  readonly length: number | null;
}

export function isStreamed(body: Reply['body']): body is StreamedBody {
  return typeof body === 'object' && 'stream' in body && body.stream instanceof Readable;
}

/** Data of a GraphQL answer as the operation's contract has the JSON body of a status; of 200 where none is named. */
export type Present = (data: unknown, status?: number) => unknown;

/** What an operation does differently from the rule. */
export interface Hook {
  /** Finds a call valid in parts: `check` throws for the first rule that is broken. */
  salvage?(given: Given, check: (given: Given) => Call): Call;
  /**
   * Takes the body itself, as it comes in, and gives the variables of the GraphQL document: no one else reads it. The
   * limits of the body (bytes, time, standstill) are then its own.
   */
  receive?(req: IncomingMessage, call: Call, sender: Sender): Promise<Record<string, unknown>>;
  /** The variables of the GraphQL document. */
  variables?(call: Call): Record<string, unknown>;
  /** The answer, from the `result` of the GraphQL document. */
  reply?(result: Record<string, unknown>, present: Present, call: Call): Reply | Promise<Reply>;
  /** The same for every caller as long as the process runs: rendered once for each spelling of its URL. */
  fixed?: boolean;
  /** Takes any query, and looks at none of it. */
  anyQuery?: boolean;
  /** Whether a JSON answer commits its headers early when it takes long. */
  slow?(call: Call): boolean;
}
