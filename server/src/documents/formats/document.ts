import type { FileHandle } from 'node:fs/promises';
import type { DocumentClient } from '../limits/document-client.ts';

/** The formats the service reads, told by content. */
export const FORMATS = ['png', 'jpeg', 'webp', 'gif', 'tiff', 'bmp', 'pdf'] as const;
export type Format = (typeof FORMATS)[number];

export const MIME_TYPES: Record<Format, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  pdf: 'application/pdf',
};

/** What is known of a document before any page is rendered. */
export interface Inspection {
  readonly format: Format;
  /** Pages in the document: 1 for a picture, the frames of a TIFF, the pages of a PDF. */
  readonly pages: number;
  /** Plain sentences for the caller, for example that a broken file was repaired. */
  readonly warnings: readonly string[];
  /** Of a PDF that is read only because its table of objects was made anew: other readers may not do that. */
  readonly needsRepair?: true;
}

/** What was done to a picture so that it reads better. */
export type PreprocessingStep = 'flattened' | 'turned' | 'deskewed' | 'enlarged' | 'second_look';

export type ScaledPicture = Pick<PagePicture, 'bytes' | 'mimeType' | 'width' | 'height'>;

/** A picture whose lines were made straight. */
export interface DeskewedPicture extends ScaledPicture {
  /** By which they lay askew before, clockwise. */
  readonly degrees: number;
}

/** Decodes a picture that came from outside as it is, in a process of its own and in its account's turn. */
export interface PictureDecoder {
  /** The picture as JPEG, smaller by the scale. */
  scale(picture: PagePicture, scale: number, client: DocumentClient): Promise<ScaledPicture>;
  isBlank(picture: PagePicture, client: DocumentClient): Promise<boolean>;
  /** The picture with straight lines; null where they lie askew by less than `leastDegrees`, or where there are none. */
  deskew(picture: PagePicture, leastDegrees: number, client: DocumentClient): Promise<DeskewedPicture | null>;
}

/** A map of points, x' = a x + c y + e and y' = b x + d y + f, as PDF writes it. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A page as a viewer shows it: the CropBox of a PDF, turned by `/Rotate`; a picture turned by its EXIF orientation. */
export interface ShownPage {
  readonly width: number;
  readonly height: number;
  /** Of PDFs points, of pictures pixels. */
  readonly unit: 'point' | 'pixel';
  /** Of a PDF's page what it was drawn at, of a picture what its file says; null where that is not known. */
  readonly dpi: number | null;
  /** Where on the page its picture lies, from fractions of the picture to fractions of the page; all over it by default. */
  readonly placement?: Affine;
}

/** One page as every engine receives it: upright by its metadata, opaque, sRGB or grey, within the size caps. */
export interface PagePicture {
  readonly bytes: Buffer;
  /** The same bytes as an open file, where a program on this machine reads it; the caller closes it. */
  readonly file?: FileHandle;
  readonly mimeType: 'image/png' | 'image/jpeg';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Resolution in dots per inch where it is known (rendered pages, or the file's own metadata). */
  readonly dpi: number | null;
  readonly warnings: readonly string[];
  /** The page that it shows; the picture itself by default. */
  readonly page?: ShownPage;
  /** What was done to it beyond its normal form; absent where nothing was. */
  readonly steps?: readonly PreprocessingStep[];
  /** Of a picture that went through untouched: nothing in this process may decode it. */
  readonly decoder?: PictureDecoder;
}

/** A word, with its corners clockwise from where it begins, in fractions of the page as it is shown. */
export interface PlacedWord {
  readonly text: string;
  readonly box: readonly [number, number, number, number, number, number, number, number];
  /** 0 to 1; null of what was not recognised, or is not told. */
  readonly confidence: number | null;
}

export interface PlacedLine extends PlacedWord {
  /** Numbers columns and paragraphs, where they are told. */
  readonly block: number | null;
  readonly words: readonly PlacedWord[];
}

/** Where the text of a page stands, as it is kept (`positions/line-bytes.ts`). */
export interface PackedPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By how many degrees, clockwise, the page has to be turned for its text to stand upright. */
  readonly textAngle: number;
  /** How many boxes are off the page and were left out; absent where there is none, and of a text layer. */
  readonly strays?: number;
}

/** The words of a PDF's own text. They come packed from thread to thread: objects cost more on that way than the reading does. */
export interface PlacedWords {
  readonly count: number;
  /** Null where there are more than any page has. */
  readonly page: PackedPage | null;
}

/** The size of a PDF's page as it is shown, in points, and the degrees of its `/Rotate`. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
}

/** One page of a PDF's own text, with the judgement whether that text can be trusted. */
export interface TextPage {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /**
   * `text`: a trustworthy text layer. `scanned`: a picture of text (no text layer, an invisible one over an image, or
   * unreadable glyphs). `blank`: neither text nor picture.
   */
  readonly kind: 'text' | 'scanned' | 'blank';
  /** Why a page counts as scanned, in words for a warning; null otherwise. */
  readonly reason: string | null;
  /** Whether a scanned page has the invisible text of an earlier recognition. */
  readonly isRecognised?: boolean;
  /** Absent for a page that cannot be opened. */
  readonly size?: PageSize;
  /** Where the text stands, where that was asked for; null for a page of too many characters. */
  readonly words?: PlacedWords | null;
}
