import { unreadable } from '../formats/unreadable.ts';
import { memoryOf, type Pdfium, type Pointer } from './library/pdfium.ts';
import { pageObjects } from './pdf-objects.ts';

export interface DrawOptions {
  readonly dpi: number;
  readonly maxPixels: number;
  /** Most bytes of one decoded picture on the page: PDFium silently leaves out one that does not fit into its memory. */
  readonly maxPictureBytes: number;
  /** Whether one channel is drawn instead of three. */
  readonly grey: boolean;
}

/** Raw pixels of a page, rows from the top without gaps, 8 bits a channel: grey, or red, green, blue. */
export interface Drawing {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly channels: 1 | 3;
  readonly width: number;
  readonly height: number;
  /** The resolution at which it was drawn: lower than asked for where the page would have become too large. */
  readonly dpi: number;
}

/** The resolution that recognisers are made for. */
export const DEFAULT_DPI = 300;

const POINTS_PER_INCH = 72;
const LONGEST_SIDE = 30_000;
const FORMAT = { grey: 1, colour: 2 };
const WHITE = 0xffffffff;
const FLAG = { annotations: 0x01, grey: 0x08, redFirst: 0x10 };

/** Draws a page on white, turned as its `/Rotate` says, annotations and form fields included. */
export function drawPage(pdfium: Pdfium, page: Pointer, options: DrawOptions): Drawing {
  const size = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
  if (!(size.width > 0 && size.height > 0)) throw unreadable('A page of the PDF has no size.');
  refuseHugePictures(pdfium, page, options.maxPictureBytes);
  const dpi = lowered(size, options);
  const width = Math.max(1, Math.round((size.width * dpi) / POINTS_PER_INCH));
  const height = Math.max(1, Math.round((size.height * dpi) / POINTS_PER_INCH));
  const channels = options.grey ? 1 : 3;
  const address = pdfium.malloc(width * height * channels);
  if (address === 0) throw new RangeError(`no memory for ${width} × ${height} pixels`);
  const format = options.grey ? FORMAT.grey : FORMAT.colour;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, format, address, width * channels);
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    const flags = FLAG.annotations | (options.grey ? FLAG.grey : FLAG.redFirst);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
    const pixels = memoryOf(pdfium).slice(address, address + width * height * channels);
    return { pixels, channels, width, height, dpi };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.free(address);
  }
}

function refuseHugePictures(pdfium: Pdfium, page: Pointer, maxBytes: number): void {
  for (const object of pageObjects(pdfium, page)) {
    if (object.kind === 'picture' && object.decodedBytes() > maxBytes) {
      throw unreadable('A picture on a page of the PDF has too many pixels.');
    }
  }
}

/** The resolution, lowered until the page is within the size caps. */
function lowered({ width, height }: { width: number; height: number }, { dpi, maxPixels }: DrawOptions): number {
  const byArea = POINTS_PER_INCH * Math.sqrt(maxPixels / (width * height));
  const bySide = (POINTS_PER_INCH * LONGEST_SIDE) / Math.max(width, height);
  const highest = Math.min(byArea, bySide);
  if (dpi <= highest) return dpi;
  return highest >= 1 ? Math.floor(highest) : highest;
}
