/** What an export's thread is started with. */
export interface ExportData {
  readonly accountId: string;
  /** Of the main database: a replica may still have what was deleted, or may not be kept any more, a moment ago. */
  readonly url: string;
}

/** There is room for one piece more. */
export interface ToExport {
  readonly kind: 'more';
}

/** Lines of each file. */
export type ExportedLines = Readonly<Record<string, number>>;

export type FromExport =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end'; readonly lines: ExportedLines }
  | { readonly kind: 'failed'; readonly message: string };
