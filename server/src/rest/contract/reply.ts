import type { ErrorCode } from '../../platform/errors.ts';
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

/** An answer: an object is JSON; a string goes out as it is, with its own content type. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string;
}

/** What an operation does differently from the rule. */
export interface Hook {
  /** Finds a call valid in parts: `check` throws for the first rule that is broken. */
  salvage?(given: Given, check: (given: Given) => Call): Call;
  /** The variables of the GraphQL document. */
  variables?(call: Call): Record<string, unknown>;
  /** The answer, from the `result` of the GraphQL document; `present` is the rule's body. */
  reply?(result: Record<string, unknown>, present: (data: unknown) => unknown, call: Call): Reply;
  /** The same for every caller as long as the process runs: rendered once for each spelling of its URL. */
  fixed?: boolean;
  /** Whether a JSON answer commits its headers early when it takes long. */
  slow?(call: Call): boolean;
}
