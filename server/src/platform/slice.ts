/** Work in the background, from `start` until it is disposed of. */
export interface Job {
  start(): void;
}

/** What a room gives to the composition root besides its services. */
export interface Slice {
  /** Of the GraphQL schema. */
  readonly resolvers: readonly object[];
  /** What every process does. */
  readonly jobs: readonly Job[];
  /** What only processes that do the work of requests do. */
  readonly workerJobs: readonly Job[];
}
