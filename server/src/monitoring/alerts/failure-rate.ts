/** What an engine did, and was asked for, in some time. */
export interface Tried {
  /** Attempts. */
  readonly runs: number;
  /** Of those, the ones that failed by its fault. */
  readonly errors: number;
  /** Calls that were refused because it took none. */
  readonly refused: number;
}

interface FailureRate {
  readonly calls: number;
  readonly failed: number;
  /** 0 to 1. */
  readonly rate: number;
  /** Whether there were so many that a share says something. */
  readonly isKnown: boolean;
}

const FEW_CALLS = 10;

/** What rules of the kind `error_rate` compare, as they look at an engine and as they look back: refused calls count as failed ones. */
export function failureRate({ runs, errors, refused }: Tried): FailureRate {
  const calls = runs + refused;
  const failed = errors + refused;
  return { calls, failed, rate: calls === 0 ? 0 : failed / calls, isKnown: calls >= FEW_CALLS };
}
