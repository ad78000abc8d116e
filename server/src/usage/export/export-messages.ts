/** What an export's thread is started with. */
export interface ExportData {
  readonly accountId: string;
  readonly url: string;
  /** Where is read from instead, as long as it is not too far behind. */
  readonly replica: { readonly url: string; readonly maxLagMs: number } | null;
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
