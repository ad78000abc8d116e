import type { Source } from './draft.ts';
import type { OcrResult } from './send-document.ts';

/** One document on its way through one engine. */
export interface Run {
  readonly engine: string;
  /** The document as it was sent. */
  readonly source: Source;
  readonly startedAtMs: number;
  /** Known as soon as the service has accepted it. */
  readonly requestId: string | null;
  readonly phase:
    | { readonly kind: 'sending' }
    | { readonly kind: 'following'; readonly status: string; readonly pagesDone: number; readonly pagesTotal: number }
    | { readonly kind: 'done'; readonly result: OcrResult; readonly tookMs: number }
    | {
        readonly kind: 'failed';
        readonly message: string;
        /** Whether nobody can say what became of it: no answer came. */
        readonly isUnknown: boolean;
        readonly tookMs: number;
      };
}

export function isUnderWay({ phase }: Run): boolean {
  return phase.kind === 'sending' || phase.kind === 'following';
}
