/** For whom work on a document is done. */
export interface DocumentClient {
  /** Accounts take turns; '' is the service itself. */
  readonly party?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Before a request is accepted: the time of a task is short, and so is the line that it may wait in. */
  readonly opening?: boolean | undefined;
}
