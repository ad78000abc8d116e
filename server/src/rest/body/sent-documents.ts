import { randomUUID } from 'node:crypto';

/**
 * Documents that came in the body of a call and are decoded already. In the body's value a placeholder stands in place of the
 * base64.
 */
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

  /** Hands a document over, and keeps it no longer; null for a text that is no placeholder. */
  take(placeholder: string): Buffer | null {
    const bytes = this.#documents.get(placeholder) ?? null;
    this.#documents.delete(placeholder);
    return bytes;
  }
}
