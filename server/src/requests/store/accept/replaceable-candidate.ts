import type { AcceptanceAnswer, Candidate } from './acceptance.ts';

/**
 * The candidate of one acceptance. Once its wallet has been locked for long, `replacement` takes its place: only between two
 * statements, and never while the outcome of one is unknown, since that one may have accepted the candidate as it was.
 */
export class ReplaceableCandidate {
  #candidate: Candidate;
  readonly #replacement: () => Candidate;
  /** A statement is under way, or was lost with its answer. */
  #isOutcomeUnknown = false;
  #isReplacementDue = false;
  #refusal: { readonly error: unknown } | null = null;

  constructor(candidate: Candidate, replacement: () => Candidate) {
    this.#candidate = candidate;
    this.#replacement = replacement;
  }

  /** Throws what `replacement` has thrown, in place of sending anything. */
  async send(ask: (candidate: Candidate) => Promise<AcceptanceAnswer>): Promise<AcceptanceAnswer> {
    if (this.#refusal) throw this.#refusal.error;
    this.#isOutcomeUnknown = true;
    const answer = await ask(this.#candidate);
    this.#isOutcomeUnknown = false; // it stays true where `ask` throws
    if (answer === 'locked' && this.#isReplacementDue) this.#replace();
    return answer;
  }

  /** The wallet has been locked for longer than statements take. */
  onLocked(): void {
    this.#isReplacementDue = true;
    if (!this.#isOutcomeUnknown) this.#replace();
  }

  #replace(): void {
    this.#isReplacementDue = false;
    try {
      this.#candidate = this.#replacement();
    } catch (error) {
      this.#refusal = { error };
    }
  }
}
