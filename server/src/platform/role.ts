/** What a process does: answer callers, do the work, or both. */
export type Role = 'all' | 'api' | 'worker';
