import type { AcceptanceAnswer, Candidate } from './acceptance.ts';

/** What is asked for; it changes between two statements only, once the wallet stays locked. */
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
    const answer = await ask(this.#candidate).finally(() => {
      this.#isSent = false;
    });
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
