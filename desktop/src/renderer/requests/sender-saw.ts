interface Ended {
  readonly mode: string;
  readonly status: string;
  readonly outcome: string;
  readonly errorCode: string | null;
}

/**
 * What the answer to the sender said of the end, where that is not the status itself: an error instead of an outcome for
 * one who waited; the outcome as submitting shows it else. Null where there is nothing to add.
 */
export function senderSaw({ mode, status, outcome, errorCode }: Ended): string | null {
  if (errorCode !== null) return mode === 'sync' ? `the error ${errorCode}` : `${outcome}; the error is ${errorCode}`;
  return outcome === status ? null : outcome;
}
