import type { DeskewedPicture, PagePicture } from '../formats/document.ts';
import type { PictureHeader } from '../pictures/picture-header.ts';
import type { PictureFormat } from '../pictures/read-header.ts';

/** What a picture process can be asked to do with a picture. */
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
      /** Where the picture is to be written instead of coming back. */
      readonly path: string | null;
    }
  /** In black and white, without specks and shadows. */
  | { readonly kind: 'clean'; readonly radius: number }
  | { readonly kind: 'blank'; readonly width: number; readonly height: number }
  | { readonly kind: 'deskew'; readonly mimeType: PagePicture['mimeType']; readonly leastDegrees: number }
  | { readonly kind: 'scale'; readonly width: number; readonly height: number; readonly scale: number };

/** A picture without its bytes. */
type PictureFacts = Pick<PagePicture, 'mimeType' | 'width' | 'height' | 'dpi' | 'warnings' | 'steps'>;

export interface PictureResults {
  readonly header: PictureHeader & { readonly frames: number };
  /** `size`: bytes of the file where it was written. */
  readonly normalise: PictureFacts & { readonly size: number };
  readonly clean: null;
  readonly blank: boolean;
  /** Null where nothing comes back. */
  readonly deskew: Omit<DeskewedPicture, 'bytes'> | null;
  readonly scale: Pick<PagePicture, 'mimeType' | 'width' | 'height'>;
}

export interface PictureQuestion {
  /** Which picture it is about; its bytes come along where the process does not have it. */
  readonly source: number;
  readonly task: PictureTask;
}

export type PictureAnswer =
  | { readonly kind: 'done'; readonly value: PictureResults[keyof PictureResults] }
  /** The picture is at fault; `message` is for the caller. */
  | { readonly kind: 'refused'; readonly message: string }
  /** `message` is for the log. */
  | { readonly kind: 'broken'; readonly message: string };
