/** The account for which a document is worked on, and the limits of that work. */
export interface DocumentClient {
  /** The account that takes turns; '' is the service itself. */
  readonly party?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request is not accepted yet: a task has little time then, and may wait in a short line only. */
  readonly opening?: boolean | undefined;
}
