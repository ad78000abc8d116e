import { type PDFContext, type PDFDocument, PDFName, type PDFObject, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib';
import { bilevelPng } from '../pictures/bilevel-png.ts';
import { faxStrip } from '../pictures/fax-strip.ts';
import { sharp } from '../pictures/sharp.ts';
import type { RebuiltPage } from './output-task.ts';

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const PNG_FILTERS = 15;
const GREY = 0;
const PALETTE = 3;
/** The channels of each colour type that a PDF takes as it is. */
const CHANNELS: Readonly<Record<number, number>> = { [GREY]: 1, 2: 3, [PALETTE]: 1 };

/**
 * Adds a picture to a PDF, without any loss: a JPEG as the file that it is, a PNG as its compressed pixels, and black and white
 * as a fax where that is smaller.
 */
export async function addPicture(document: PDFDocument, page: RebuiltPage): Promise<PDFRef> {
  if (page.mimeType === 'image/jpeg') return embedded(await document.embedJpg(page.picture));
  const png = Buffer.from(page.picture);
  // Only what this service has encoded is decoded here.
  const stream = (page.isOurs ? await bilevel(document, png) : null) ?? streamOf(document, png);
  return stream ? document.context.register(stream) : embedded(await document.embedPng(png));
}

async function embedded(image: { ref: PDFRef; embed(): Promise<void> }): Promise<PDFRef> {
  await image.embed();
  return image.ref;
}

/** The picture with one bit for each pixel; null where it is not black and white only. */
async function bilevel(document: PDFDocument, picture: Buffer): Promise<PDFRawStream | null> {
  const image = sharp(picture);
  // Without `toColourspace`, grey pictures would come out with three channels.
  if ((await image.metadata()).space !== 'b-w') return null;
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const png = channels === 1 ? bilevelPng(data, { width, height, stride: width }) : null;
  if (!png) return null;
  const fax = await faxStrip(data, { width, height });
  // The dots of printed pictures are no runs, so a fax of them may be larger.
  return fax && fax.length < png.length ? faxOf(document, fax, { width, height }) : streamOf(document, png);
}

/** The fax as an object. What it calls black are runs of ones, which are white here. */
function faxOf({ context }: PDFDocument, fax: Buffer, { width, height }: Size): PDFRawStream {
  const colours = context.obj('DeviceGray');
  const parameters = context.obj({ K: -1, Columns: width, Rows: height, BlackIs1: true });
  return imageOf(context, fax, { width, height, depth: 1, colours, filter: 'CCITTFaxDecode', parameters });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Pixels extends Size {
  /** Bits of each channel. */
  readonly depth: number;
  readonly colours: PDFObject;
  readonly filter: string;
  readonly parameters: PDFObject;
}

function imageOf(context: PDFContext, bytes: Buffer, pixels: Pixels): PDFRawStream {
  const { width, height, depth, colours, filter, parameters } = pixels;
  const dictionary = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    BitsPerComponent: depth,
    ColorSpace: colours,
    Filter: PDFName.of(filter),
    DecodeParms: parameters,
  });
  return PDFRawStream.of(dictionary, bytes);
}

/** The object of a PNG's compressed pixels; null where a PDF cannot take them as they are: interlaced, or with transparency. */
function streamOf({ context }: PDFDocument, png: Buffer): PDFRawStream | null {
  const parts = new Map<string, Buffer[]>();
  for (const { type, data } of chunks(png)) parts.set(type, [...(parts.get(type) ?? []), data]);
  const header = parts.get('IHDR')?.[0];
  if (header?.length !== 13) return null;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, , , interlace] = header.subarray(8);
  const channels = CHANNELS[colour];
  const palette = parts.get('PLTE')?.[0];
  if (!channels || depth > 8 || interlace !== 0 || parts.has('tRNS') || (colour === PALETTE && !palette)) return null;
  const colours =
    colour === PALETTE && palette
      ? context.obj(['Indexed', 'DeviceRGB', palette.length / 3 - 1, context.register(context.stream(palette))])
      : context.obj(colour === GREY ? 'DeviceGray' : 'DeviceRGB');
  const predictor = { Predictor: PNG_FILTERS, Colors: channels, BitsPerComponent: depth, Columns: width };
  const parameters = context.obj(predictor);
  const bytes = Buffer.concat(parts.get('IDAT') ?? []);
  return imageOf(context, bytes, { width, height, depth, colours, filter: 'FlateDecode', parameters });
}

function* chunks(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= png.length; ) {
    const end = at + FRAME_BYTES + png.readUInt32BE(at);
    if (end > png.length) return;
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end - 4) };
    at = end;
  }
}
