/** The facts that the header of a picture tells before anything is decoded. */
export interface PictureHeader {
  /** Size in pixels as stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly dpi: number | null;
  /** Orientation from 1 to 8, as EXIF numbers them; 1 is upright. */
  readonly orientation: number;
  /** Whether any engine can read the file as it is: upright, opaque, still, 8 bits a channel, grey or RGB. */
  readonly plain: boolean;
  /** Most bytes that a decoder needs for each pixel. */
  readonly bytesPerPixel: number;
  /** How often a decoder goes over the whole picture; absent for once. */
  readonly passes?: number;
}

const DPI_RANGE = { from: 30, to: 2400 };

/** A resolution that can be true; null for others: many programs write nonsense. */
export function believableDpi(dpi: number): number | null {
  return dpi >= DPI_RANGE.from && dpi <= DPI_RANGE.to ? Math.round(dpi) : null;
}
