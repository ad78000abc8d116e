/** A call that was answered with an error before there was a request of it. */
export interface RefusedCall {
  /** `req_…`, as the answer has it in `X-Request-Id`. */
  readonly requestId: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly method: string;
  readonly path: string;
  /** Null where the caller was not known. */
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** Where a caller who was not known called from (of IPv6 its /64). It only tells parties apart, and is not stored. */
  readonly address: string | null;
  /** What the body asked for, as it came; null where no body was read. */
  readonly engine: string | null;
}
