import type { FileHandle } from 'node:fs/promises';
import type { DocumentClient } from '../limits/document-client.ts';

/** The formats that the service reads, recognised by content. */
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

/** The facts about a document before any page is rendered. */
export interface Inspection {
  readonly format: Format;
  /** Pages in the document: 1 for a picture, the frames of a TIFF, the pages of a PDF. */
  readonly pages: number;
  /** Plain sentences for the caller, for example that a broken file was repaired. */
  readonly warnings: readonly string[];
  /** Set for a PDF that is read only because its table of objects was made anew: other readers may not do that. */
  readonly needsRepair?: true;
}

/** A step by which a picture was changed so that it reads better. */
export type PreprocessingStep = 'flattened' | 'turned' | 'deskewed' | 'enlarged' | 'second_look';

export type ScaledPicture = Pick<PagePicture, 'bytes' | 'mimeType' | 'width' | 'height'>;

/** A picture whose lines were made straight. */
export interface DeskewedPicture extends ScaledPicture {
  /** Degrees by which the lines lay askew before, clockwise. */
  readonly degrees: number;
}

/** Decodes a picture that is sent on as it came: in a process of its own, and in its account's turn. */
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
  /** Points of a PDF, pixels of a picture. */
  readonly unit: 'point' | 'pixel';
  /** Resolution: of a PDF's page that at which it was drawn, of a picture what its file says; null where it is unknown. */
  readonly dpi: number | null;
  /**
   * The place of the picture on the page: maps fractions of the picture to fractions of the page; all of the page unless given.
   */
  readonly placement?: Affine;
}

/** One page as every engine receives it: upright by its metadata, opaque, sRGB or grey, within the size caps. */
export interface PagePicture {
  readonly bytes: Buffer;
  /** The picture as an open file, where a program on this machine reads it; the caller closes it. */
  readonly file?: FileHandle;
  readonly mimeType: 'image/png' | 'image/jpeg';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Resolution in dots per inch where it is known (rendered pages, or the file's own metadata). */
  readonly dpi: number | null;
  readonly warnings: readonly string[];
  /** The page that the picture shows; the picture itself unless given. */
  readonly page?: ShownPage;
  /** Steps beyond the normal form; absent where there were none. */
  readonly steps?: readonly PreprocessingStep[];
  /** Set for a picture that was not decoded: nothing in this process may decode it. */
  readonly decoder?: PictureDecoder;
}

/** A word, with its corners clockwise from where it begins, in fractions of the page as it is shown. */
export interface PlacedWord {
  readonly text: string;
  readonly box: readonly [number, number, number, number, number, number, number, number];
  /** From 0 to 1; null for a word that was not recognised, or where the engine does not tell. */
  readonly confidence: number | null;
}

export interface PlacedLine extends PlacedWord {
  /** The number of its column or paragraph; null where the engine does not tell. */
  readonly block: number | null;
  readonly words: readonly PlacedWord[];
}

/** The positions of a page's text, as they are stored (`positions/line-bytes.ts`). */
export interface PackedPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Degrees, clockwise, by which the page has to be turned for its text to stand upright. */
  readonly textAngle: number;
  /** The number of boxes that were left out because they are off the page; absent for 0, and for a text layer. */
  readonly strays?: number;
}

/**
 * The words of a PDF's text layer. Threads hand them over packed: objects would take longer on that way than the reading does.
 */
export interface PlacedWords {
  readonly count: number;
  /** The words; null for a page with more words than any sheet has. */
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
  /** Number of the page, from 1. */
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
  /** Size of the page; absent for one that cannot be opened. */
  readonly size?: PageSize;
  /**
   * Positions of the text; absent where they were not asked for, or where the document has too many words before; null for a page
   * of too many characters.
   */
  readonly words?: PlacedWords | null;
}
