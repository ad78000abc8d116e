/** One run at a time for each question: calls that come while it is under way get its answer. Nothing is kept longer. */
export class SingleFlight<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();

  run(question: string, work: () => Promise<Answer>): Promise<Answer> {
    const known = this.#running.get(question);
    if (known) return known;
    const running = work().finally(() => this.#running.delete(question));
    this.#running.set(question, running);
    return running;
  }
}
