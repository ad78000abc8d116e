/** The attempts and refused calls of an engine in some time. */
export interface Tried {
  /** Number of attempts. */
  readonly runs: number;
  /** Number of these attempts that failed by the engine's fault. */
  readonly errors: number;
  /** Number of calls that were refused because the engine took none. */
  readonly refused: number;
}

interface FailureRate {
  readonly calls: number;
  readonly failed: number;
  /** Share of failed calls, 0 to 1. */
  readonly rate: number;
  /** Whether there were enough calls for a share to mean something. */
  readonly isKnown: boolean;
}

const FEW_CALLS = 10;

/** The rate that rules of the kind `error_rate` compare, now and when they look back: refused calls count as failed ones. */
export function failureRate({ runs, errors, refused }: Tried): FailureRate {
  const calls = runs + refused;
  const failed = errors + refused;
  return { calls, failed, rate: calls === 0 ? 0 : failed / calls, isKnown: calls >= FEW_CALLS };
}
