/** What the header of a picture tells before anything is decoded. */
export interface PictureHeader {
  /** Pixels as stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly dpi: number | null;
  /** 1 to 8, as EXIF numbers them; 1 is upright. */
  readonly orientation: number;
  /** Upright, opaque, still, 8 bits a channel, grey or RGB: any engine can read the file as it is. */
  readonly plain: boolean;
  /** What a decoder needs for a pixel at its worst, in bytes. */
  readonly bytesPerPixel: number;
  /** How often a decoder goes over the whole picture, where that is more than once. */
  readonly passes?: number;
}

const DPI_RANGE = { from: 30, to: 2400 };

/** Many programs write nonsense as the resolution: only what can be true is believed. */
export function believableDpi(dpi: number): number | null {
  return dpi >= DPI_RANGE.from && dpi <= DPI_RANGE.to ? Math.round(dpi) : null;
}
