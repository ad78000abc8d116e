import type { DeskewedPicture, PagePicture } from '../formats/document.ts';
import type { PictureHeader } from '../pictures/picture-header.ts';
import type { PictureFormat } from '../pictures/read-header.ts';

/** A task of a picture process. */
export type PictureTask =
  | { readonly kind: 'header'; readonly format: PictureFormat; readonly frame: number }
  | {
      readonly kind: 'normalise';
      readonly format: PictureFormat;
      readonly frame: number;
      readonly decoded: boolean;
      readonly preprocess?: boolean | undefined;
      readonly maxPixels: number;
      readonly maxSentPixels: number;
      /** The path to which the picture is written; null where its bytes are answered. */
      readonly path: string | null;
    }
  /** Black and white, without specks and shadows. */
  | { readonly kind: 'clean'; readonly radius: number }
  | { readonly kind: 'blank'; readonly width: number; readonly height: number }
  | { readonly kind: 'deskew'; readonly mimeType: PagePicture['mimeType']; readonly leastDegrees: number }
  | { readonly kind: 'scale'; readonly width: number; readonly height: number; readonly scale: number };

/** A picture without its bytes. */
type PictureFacts = Pick<PagePicture, 'mimeType' | 'width' | 'height' | 'dpi' | 'warnings' | 'steps'>;

export interface PictureResults {
  readonly header: PictureHeader & { readonly frames: number };
  /** `size`: bytes of the picture, also where it was written to a file. */
  readonly normalise: PictureFacts & { readonly size: number };
  readonly clean: null;
  readonly blank: boolean;
  /** The straightened picture; null where the picture is not straightened. */
  readonly deskew: Omit<DeskewedPicture, 'bytes'> | null;
  readonly scale: Pick<PagePicture, 'mimeType' | 'width' | 'height'>;
}

export interface PictureQuestion {
  /** The number of the picture; its bytes come along where the process does not have it. */
  readonly source: number;
  readonly task: PictureTask;
}

export type PictureAnswer =
  | { readonly kind: 'done'; readonly value: PictureResults[keyof PictureResults] }
  /** The picture is at fault; `message` is for the caller. */
  | { readonly kind: 'refused'; readonly message: string }
  /** `message` is for the log. */
  | { readonly kind: 'broken'; readonly message: string };
