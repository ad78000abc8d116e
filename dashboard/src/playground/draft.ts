/** A document that was chosen. */
export type Source =
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly bytes: number;
      readonly type: string;
      readonly base64: string;
    }
  | { readonly kind: 'url'; readonly url: string };

/** What the form of the playground says. */
export interface Draft {
  readonly source: Source | null;
  readonly engine: string | null;
  /** A second engine to compare with. */
  readonly other: string | null;
  readonly language: string;
  /** Null: as the service has it, one page. */
  readonly pageCount: number | null;
  readonly pageRange: string;
  readonly dpi: number | null;
  readonly detectTables: boolean;
  /** Whether the answer says where its words stand. */
  readonly positions: boolean;
  readonly fallback: boolean;
  readonly scannedHandling: 'skip' | 'fallback' | 'error' | null;
  readonly fallbackEngine: string | null;
  readonly isAsync: boolean;
  readonly webhookUrl: string;
}

export const EMPTY_DRAFT: Draft = {
  source: null,
  engine: null,
  other: null,
  language: '',
  pageCount: null,
  pageRange: '',
  dpi: null,
  detectTables: false,
  positions: true,
  fallback: false,
  scannedHandling: null,
  fallbackEngine: null,
  isAsync: false,
  webhookUrl: '',
};
