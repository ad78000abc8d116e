import { randomUUID } from 'node:crypto';

/** Decoded documents from the body of a call. In the body's value a placeholder stands for the base64 of each. */
export class SentDocuments {
  readonly #documents = new Map<string, Buffer>();

  get isEmpty(): boolean {
    return this.#documents.size === 0;
  }

  /** Keeps a document; answers its placeholder. */
  keep(bytes: Buffer): string {
    const placeholder = `document-${randomUUID()}`;
    this.#documents.set(placeholder, bytes);
    return placeholder;
  }

  /** Hands a document over and forgets it; null for a text that is no placeholder. */
  take(placeholder: string): Buffer | null {
    const bytes = this.#documents.get(placeholder) ?? null;
    this.#documents.delete(placeholder);
    return bytes;
  }
}
