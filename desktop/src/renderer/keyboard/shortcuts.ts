/** What a key means, wherever the focus is outside of a field. */
export type Shortcut =
  | { readonly kind: 'page'; readonly key: string }
  | { readonly kind: 'profile'; readonly index: number }
  | { readonly kind: 'move'; readonly key: string }
  | { readonly kind: 'palette' | 'help' | 'search' | 'escape' | 'wall' };

export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether a field has the focus, which keeps every key without Ctrl for itself. */
  readonly inField: boolean;
  readonly atMs: number;
}

/** How long `g` waits for the letter of a page. */
const SEQUENCE_MS = 1500;
const MOVES = new Set(['j', 'k', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Enter']);

/** Reads keys one by one; remembers a `g` that waits for its second letter. */
export class ShortcutReader {
  #goAtMs: number | null = null;

  /** What this key means; null where it means nothing here. */
  read({ key, ctrlKey, metaKey, altKey, inField, atMs }: Key): Shortcut | null {
    const goes = this.#goAtMs !== null && atMs - this.#goAtMs < SEQUENCE_MS;
    this.#goAtMs = null;
    if (altKey) return null;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() === 'k') return { kind: 'palette' };
      return /^[1-9]$/.test(key) ? { kind: 'profile', index: Number(key) - 1 } : null;
    }
    if (key === 'Escape') return { kind: 'escape' };
    if (inField) return null;
    if (goes && /^[a-z]$/.test(key)) return { kind: 'page', key };
    if (key === 'g') {
      this.#goAtMs = atMs;
      return null;
    }
    if (key === '?') return { kind: 'help' };
    if (key === '/') return { kind: 'search' };
    if (key === 'f') return { kind: 'wall' };
    return MOVES.has(key) ? { kind: 'move', key } : null;
  }
}
