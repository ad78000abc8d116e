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
  /** How often it went out; more than once when a connection broke. */
  posts: number;
  /** What the caller was promised last. */
  told: Told | null;
  /** Every answer of 500 and above that any call about it got. */
  readonly failures: Failure[];
}

/** An answer that tells of a failure of the service. */
export interface Failure {
  readonly call: 'post' | 'poll';
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
}

/** The number by which a row of the database is known to be this document's. */
export function languageOf(sent: Pick<Sent, 'pages'>): string {
  return `x-${sent.pages[0]?.serial ?? 'none'}`;
}
