import type { Attempt } from '../model/attempt.ts';
import type { PageResult } from '../read/page-result.ts';
import { attemptsOf } from './attempts-of.ts';
import { judge } from './conclude.ts';

/** The attempts behind pages of which nothing is sold, at the provider's cost. */
export function unsoldAttempts(made: readonly PageResult[], newAttemptId: () => string): Attempt[] {
  const engines = new Set(made.map(({ engine }) => engine.id));
  const attemptIds = new Map([...engines].map((engine) => [engine, newAttemptId()]));
  return attemptsOf(judge(made), { attemptIds, sold: false });
}
