import { believableDpi } from './picture-header.ts';

export interface Exif {
  readonly orientation: number;
  readonly dpi: number | null;
}

/** The values for a picture without EXIF. */
export const NO_EXIF: Exif = { orientation: 1, dpi: null };
const ENTRY_BYTES = 12;
const TAG = { orientation: 0x0112, xResolution: 0x011a, resolutionUnit: 0x0128 };
const CENTIMETRE = 3;

/** Reads orientation and resolution from an EXIF block (a small TIFF). Broken blocks are common and count as none. */
export function readExif(block: Buffer): Exif {
  try {
    return readDirectory(block);
  } catch (error) {
    if (error instanceof RangeError) return NO_EXIF;
    throw error;
  }
}

function readDirectory(block: Buffer): Exif {
  const order = block.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return NO_EXIF;
  const little = order === 'II';
  const short = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const long = (at: number) => (little ? block.readUInt32LE(at) : block.readUInt32BE(at));

  const directory = long(4);
  let orientation = 1;
  let resolution = 0;
  let unit = 2;
  for (let index = 0; index < short(directory); index++) {
    const entry = directory + 2 + index * ENTRY_BYTES;
    const tag = short(entry);
    if (tag === TAG.orientation) orientation = short(entry + 8);
    if (tag === TAG.resolutionUnit) unit = short(entry + 8);
    if (tag === TAG.xResolution) resolution = long(long(entry + 8)) / long(long(entry + 8) + 4);
  }
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    dpi: believableDpi(unit === CENTIMETRE ? resolution * 2.54 : resolution),
  };
}
