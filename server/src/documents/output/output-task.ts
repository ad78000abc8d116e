import type { OutputPage } from './output-page.ts';

/** A task of an output thread. */
export type OutputTask =
  | {
      readonly kind: 'extend';
      readonly bytes: Uint8Array<SharedArrayBuffer>;
      readonly pages: readonly OutputPage[];
      /** How many pages the document has. */
      readonly documentPages: number;
    }
  | { readonly kind: 'rebuild'; readonly pages: readonly RebuiltPage[] };

/** A page that is made anew from its picture, with the size in points. */
export interface RebuiltPage {
  readonly picture: Uint8Array;
  readonly mimeType: 'image/png' | 'image/jpeg';
  /** Whether this service has encoded the picture itself. */
  readonly isOurs: boolean;
  /** Points. */
  readonly width: number;
  readonly height: number;
  readonly lines: OutputPage['lines'];
}

export type OutputAnswer =
  /** `pages` are the numbers of those that got a layer. */
  | { readonly kind: 'done'; readonly bytes: Uint8Array<ArrayBuffer>; readonly pages: readonly number[] }
  /** The file cannot be extended; `message` is for the log. */
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string };
