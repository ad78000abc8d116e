import { afterAll, describe, expect, it } from 'vitest';
import { Documents } from '../../documents.ts';
import { orderLigatures, type PlacedCharacter } from './ligatures.ts';

const [SEEN, LAM, ALEF, MEEM] = ['س', 'ل', 'ا', 'م'];

/** Characters in the order in which PDFium has them; those of one string are of one glyph. */
function placed(...glyphs: string[]): PlacedCharacter[] {
  return glyphs.flatMap((glyph, at) => [...glyph].map((text) => ({ text, x: 100 - 12 * at, y: 700 })));
}
const textOf = (characters: PlacedCharacter[]) => characters.map(({ text }) => text).join('');

describe('orderLigatures', () => {
  it('puts lam before alef where one glyph stands for both, and nowhere else', () => {
    const characters = placed(ALEF, LAM, SEEN, `${ALEF}${LAM}`, MEEM);
    expect(orderLigatures(textOf(characters), characters)).toBe(`${ALEF}${LAM}${SEEN}${LAM}${ALEF}${MEEM}`);
  });

  it('keeps marks that stand on a letter, Latin ligatures, and lam before alef', () => {
    for (const characters of [placed('بَ', MEEM), placed('ffi', 'x'), placed(SEEN, `${LAM}${ALEF}`, MEEM)]) {
      expect(orderLigatures(textOf(characters), characters)).toBe(textOf(characters));
    }
  });

  it('leaves a text alone that has other characters than the page', () => {
    const characters = placed(`${ALEF}${LAM}`, MEEM);
    const longer = `${ALEF}${LAM}${MEEM} ${ALEF}${LAM}`;
    expect(orderLigatures(longer, characters)).toBe(longer);
  });
});

describe('the text of a PDF', () => {
  const documents = new Documents({
    threads: 1,
    maxPixels: 1e6,
    maxSentPixels: 1e6,
    maxPages: 9,
    pdfTimeoutMs: 60_000,
    memoryMb: 256,
  });
  afterAll(() => documents[Symbol.asyncDispose]());

  it('has the letters of Arabic ligatures in the order in which they are read', async () => {
    const [page] = await documents.text(arabicPdf(), [1]);
    expect(page).toMatchObject({ kind: 'text', text: `${SEEN}${LAM}${ALEF}${MEEM} ${SEEN}${LAM}${ALEF}${MEEM}` });
  });
});

/** As programs write Arabic: glyphs from left to right, one of them for lam and alef. */
function arabicPdf(): Buffer {
  const box = '600 0 0 0 500 700 d1 0 0 500 700 re f';
  const map =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange ' +
    '<00> <FF> endcodespacerange 4 beginbfchar <01> <0645> <02> <06440627> <03> <0633> <04> <0020> endbfchar endcmap end end';
  const shown = 'BT /F 20 Tf 50 700 Td <01020304010203> Tj ET';
  const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(shown),
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 800] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 1 /LastChar 4 ' +
      '/Widths [600 600 600 300] /Encoding << /Type /Encoding /Differences [1 /a /b /c /d] >> /ToUnicode 7 0 R ' +
      '/CharProcs << /a 6 0 R /b 6 0 R /c 6 0 R /d 8 0 R >> /Resources << >> >>',
    stream(box),
    stream(map),
    stream('300 0 0 0 0 0 d1'),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const end = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}${end}`, 'latin1');
}
