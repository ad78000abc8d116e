import type { EngineName, Marker } from './marker.ts';

export type SentKind = 'sync' | 'async' | 'batch' | 'large';

/** A document that was sent, and what its sender knows of it. */
export interface Sent {
  readonly kind: SentKind;
  readonly engine: EngineName;
  /** One for each page. */
  readonly pages: readonly Marker[];
  /** Null in a batch. */
  readonly key: string | null;
  readonly body: unknown;
  /** Its webhooks arrive at this path; null without. */
  readonly webhookPath: string | null;
  /** When its sender cancels it; null: never. */
  readonly cancelAfter: CancelAfter | null;
  /** How often it went out; more than once when a connection broke. */
  posts: number;
  /** What the caller was promised last. */
  told: Told | null;
  /** When the service had said that it is cancelled, or will be; milliseconds since 1970. */
  cancelledAt: number | null;
  /** As many of its pages were shown as read. */
  pagesSeen: number;
  /** The service has said that it is deleted: by its answer to that, or to who asks for the result. */
  isDeleted: boolean;
  /** Every answer of 500 and above that any call about it got. */
  readonly failures: Failure[];
}

/** So much later than so many of its pages have been read. `delete`: it is deleted while it is at work, which cancels it, too. */
export interface CancelAfter {
  readonly how: 'cancel' | 'delete';
  readonly pages: number;
  readonly ms: number;
}

/** An answer that tells of a failure of the service. */
export interface Failure {
  readonly call: 'post' | 'poll' | 'cancel' | 'delete';
  readonly status: number;
  readonly message: string;
  /** Milliseconds since 1970, as the next one. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** `requestId` is null where the contract binds nothing: the caller was told an error. */
export interface Told {
  readonly requestId: string | null;
  /** As POST spells it; null where it was accepted only. */
  readonly outcome: string | null;
  readonly costUsd: number;
  /** Where an asynchronous one is asked for. */
  readonly pollUrl?: string;
}

/** The number by which a row of the database is known to be this document's. */
export function languageOf(sent: Pick<Sent, 'pages'>): string {
  return `x-${sent.pages[0]?.serial ?? 'none'}`;
}
