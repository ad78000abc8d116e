/** Statuses of a request as a list of them shows them, in the order of its life. */
export const STATUSES = ['queued', 'processing', 'succeeded', 'partial', 'failed', 'rejected'] as const;
