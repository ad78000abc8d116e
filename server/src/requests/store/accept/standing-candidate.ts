import type { AcceptanceAnswer, Candidate } from './acceptance.ts';

/**
 * What is asked for; once the wallet stays locked it changes, between two statements only, and not behind one of which nobody knows
 * what became: that one may have taken it in as it was.
 */
export class StandingCandidate {
  #candidate: Candidate;
  readonly #whileLocked: () => Candidate;
  #isSent = false;
  #isLocked = false;
  #refusal: { readonly error: unknown } | null = null;

  constructor(candidate: Candidate, whileLocked: () => Candidate) {
    this.#candidate = candidate;
    this.#whileLocked = whileLocked;
  }

  async send(ask: (candidate: Candidate) => Promise<AcceptanceAnswer>): Promise<AcceptanceAnswer> {
    if (this.#refusal) throw this.#refusal.error;
    this.#isSent = true;
    const answer = await ask(this.#candidate);
    this.#isSent = false; // not where it failed
    if (answer === 'locked' && this.#isLocked) this.#change();
    return answer;
  }

  onLocked(): void {
    this.#isLocked = true;
    if (!this.#isSent) this.#change();
  }

  #change(): void {
    this.#isLocked = false;
    try {
      this.#candidate = this.#whileLocked();
    } catch (error) {
      this.#refusal = { error };
    }
  }
}
