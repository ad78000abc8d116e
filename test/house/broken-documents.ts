import { crc32, deflateSync } from 'node:zlib';
import { makeBmp } from './bmp.ts';
import { makePdf, type PdfPage } from './pdf.ts';
import { picture, pictureAs } from './pictures.ts';
import { makeTiff } from './tiff.ts';

const STRIP_OFFSETS = 273;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A page whose picture has too many pixels to be drawn; the file is small. */
export const UNDRAWABLE_PAGE: PdfPage = { picture: { bits: Buffer.alloc(64), width: 120_000, height: 120_000 } };

/** A page that takes minutes to draw: all of it is painted again and again. */
export const ENDLESS_PAGE: PdfPage = { content: '0 0 595 842 re f\n'.repeat(50_000) };

/** A page whose groups draw the one below ten times each, ten deep; others may stand before and after it. */
export function nestedGroups({ before = [], after = [] }: { before?: PdfPage[]; after?: PdfPage[] } = {}): Buffer {
  const pages = makePdf([...before, { content: '/Level9 Do' }, ...after]).toString('latin1');
  const groups = Array.from({ length: 10 }, (_, level) => {
    const body = level === 0 ? '0 0 500 800 re f\n' : `/Level${level - 1} Do\n`.repeat(10);
    const inner = level === 0 ? '' : `/XObject << /Level${level - 1} ${99 + level} 0 R >>`;
    return `${100 + level} 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${inner} >> /Length ${body.length} >>\nstream\n${body}endstream\nendobj\n`;
  });
  // Without its cross-reference table the file is searched for its objects.
  const linked = pages.replaceAll('/Font <<', '/XObject << /Level9 109 0 R >> /Font <<');
  const [objects = '', trailer = ''] = linked.split(/xref\n[\s\S]*?trailer\n/);
  return Buffer.from(
    `${objects}${groups.join('')}trailer\n${trailer.replace(/startxref\n\d+/, 'startxref\n0')}`,
    'latin1',
  );
}

/** The TIFF of `makeTiff` with one frame, counted from 1, whose pixels stand outside the file. */
export function withBrokenFrame(tiff: Buffer, frame: number): Buffer {
  const copy = Buffer.from(tiff);
  let directory = copy.readUInt32LE(4);
  for (let n = 1; n < frame; n++) directory = copy.readUInt32LE(directory + 2 + copy.readUInt16LE(directory) * 12);
  const entries = copy.readUInt16LE(directory);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (copy.readUInt16LE(at) === STRIP_OFFSETS) copy.writeUInt32LE(copy.length + 1000, at + 8);
  }
  return copy;
}

/** Documents that nobody can read, by what is wrong with them. */
export async function unreadableDocuments(): Promise<Record<string, Buffer>> {
  const png = await picture();
  const jpeg = await pictureAs('jpeg', { width: 400, height: 300 });
  const webp = await pictureAs('webp');
  const pdf = makePdf([{ text: 'Locked away' }]);
  return {
    'plain text': Buffer.from('This is not a document but a note about one.'),
    'a web page': Buffer.from('<!doctype html><html><body><p>Please log in</p></body></html>'),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>no</text></svg>'),
    'a HEIC header': Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypheic\0\0\0\0mif1heic'),
      Buffer.alloc(64),
    ]),
    'a ZIP': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]),
    'one byte': Buffer.from([0x89]),
    'a PNG cut in half': png.subarray(0, png.length / 2),
    'a PNG with a wrong checksum': withByteFlipped(png, png.indexOf('IDAT') + 8),
    'a PNG of 30000 by 30000 pixels': pngOfSize(30_000, 30_000),
    'a PNG of no size': pngOfSize(0, 0),
    'a JPEG cut in half': jpeg.subarray(0, jpeg.length / 2),
    'a WEBP cut in half': webp.subarray(0, webp.length / 2),
    'a TIFF without pages': makeTiff([]),
    'a BMP without pixels': makeBmp().subarray(0, 54),
    'a PDF header alone': Buffer.from('%PDF-1.7\n'),
    'a web page that calls itself a PDF': Buffer.from('%PDF-1.4\n<html><body>Session expired</body></html>'),
    'a PDF without pages': makePdf([]),
    'a PDF behind a password': makePdf([{ text: 'Locked away' }], { passwords: { user: 'open', owner: 'sesame' } }),
    'a PDF that is a dynamic form only': makePdf([{ text: 'Please wait' }], { dynamicXfa: true }),
    'the first bytes of a PDF': pdf.subarray(0, 20),
  };
}

function withByteFlipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

/** A PNG whose header promises this many pixels, with next to no data behind it. */
function pngOfSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8); // one bit, grey
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
