import { randomUUID } from 'node:crypto';

/** Documents that came in the body of a call and are decoded already: a word stands for each where its base64 would. */
export class SentDocuments {
  readonly #documents = new Map<string, Buffer>();

  get isEmpty(): boolean {
    return this.#documents.size === 0;
  }

  /** The word for a document. */
  keep(bytes: Buffer): string {
    const word = `document-${randomUUID()}`;
    this.#documents.set(word, bytes);
    return word;
  }

  /** Hands a document over, and keeps it no longer; null for a text that is none of these words. */
  take(word: string): Buffer | null {
    const bytes = this.#documents.get(word) ?? null;
    this.#documents.delete(word);
    return bytes;
  }
}
