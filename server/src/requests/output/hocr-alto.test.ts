import { spawnSync } from 'node:child_process';
import { text as whole } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { altoFaults } from '../../../../test/house/alto-rules.ts';
import { allOf, childrenOf, type Element, parsedXml, textOf } from '../../../../test/house/xml-tree.ts';
import type { TextLine } from '../layout/unpack-lines.ts';
import { alto } from './alto.ts';
import { hocr } from './hocr.ts';
import type { Provenance, ReadPage } from './read-page.ts';

const PROVENANCE: Provenance = { requestId: 'ocr_1', version: '1.2.3', engines: ['tesseract'], dpi: 150 };
const LAYOUT = { unit: 'pixel', dpi: 300, textAngle: 0, positions: 'word', locatedBy: null } as const;

function box(left: number, top: number, right: number, bottom: number): number[] {
  return [left, top, right, top, right, bottom, left, bottom];
}

const PAGE: ReadPage = {
  page: 2,
  engine: 'tesseract',
  text: 'A & B\n日本\nup',
  layout: { ...LAYOUT, width: 1000, height: 2000 },
  lines: [
    {
      text: 'A & "B"',
      polygon: box(0.1, 0.1, 0.5, 0.12),
      confidence: 0.9,
      block: 1,
      words: [
        { text: 'A', polygon: box(0.1, 0.1, 0.2, 0.12), confidence: 0.953 },
        { text: '&', polygon: box(0.25, 0.1, 0.3, 0.12), confidence: 0.5 },
        { text: '"B"\u0001', polygon: box(0.4, 0.1, 0.5, 0.12) },
      ],
    },
    {
      text: '日本',
      polygon: box(0.1, 0.13, 0.3, 0.15),
      block: 1,
      words: [
        { text: '日', polygon: box(0.1, 0.13, 0.2, 0.15) },
        { text: '本', polygon: box(0.2, 0.13, 0.3, 0.15) },
      ],
    },
    // Its first letter is at the bottom: it runs up.
    { text: 'up & on', polygon: [0.8, 0.5, 0.8, 0.3, 0.85, 0.3, 0.85, 0.5], confidence: 0.7, block: 2 },
  ],
};
const OF_A_PDF: ReadPage = {
  ...PAGE,
  page: 3,
  layout: { ...LAYOUT, width: 595, height: 842, unit: 'point', dpi: 144 },
};
const PAGES = [PAGE, OF_A_PDF];

/** Every element with its attributes. */
function elements(text: string, name: string): Record<string, string>[] {
  return [...text.matchAll(new RegExp(`<${name}((?: [\\w:]+="[^"]*")*) ?/?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries([...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
  );
}

async function* each(pages: readonly ReadPage[]) {
  yield* pages;
}

function wellFormed(text: string, context: { skip(note: string): void }): void {
  const { status, error, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '-'], {
    input: text,
    encoding: 'utf8',
  });
  if (error) {
    context.skip('xmllint is not installed');
    return;
  }
  expect(stderr).toBe('');
  expect(status).toBe(0);
}

/** An hOCR title: its properties, by their names. */
function propertiesOf({ attributes }: Element): Record<string, string[]> {
  const parts = (attributes['title'] ?? '').split('; ').map((part) => part.split(' '));
  return Object.fromEntries(parts.map(([name = '', ...values]) => [name, values]));
}

/** Lines as another program has them of an hOCR page: in fractions of the page. */
function linesOfHocr(page: Element) {
  const [, , width = 0, height = 0] = propertiesOf(page)['bbox']?.map(Number) ?? [];
  const placed = (element: Element) => {
    const { bbox = [], x_wconf: sure } = propertiesOf(element);
    const bounds = bbox.map((value, side) => Number(value) / (side % 2 === 0 ? width : height));
    return { text: textOf(element).trim(), bounds, ...(sure && { confidence: Number(sure[0]) / 100 }) };
  };
  return childrenOf(page).flatMap((area, block) =>
    childrenOf(area).map((line) => ({ ...placed(line), block, words: childrenOf(line).map(placed) })),
  );
}

describe('hOCR', async () => {
  const text = await whole(hocr(each(PAGES), PROVENANCE));
  const titles = (kind: string) =>
    [...elements(text, 'div'), ...elements(text, 'span')]
      .filter(({ class: name }) => name === kind)
      .map((e) => e['title']);

  it('is XML', (context) => wellFormed(text, context));

  it('gives the layout back to who reads it', () => {
    const pages = allOf(parsedXml(text)).filter(({ attributes }) => attributes['class'] === 'ocr_page');
    expect(pages.map((page) => propertiesOf(page)['ppageno'])).toEqual(PAGES.map(({ page }) => [String(page - 1)]));
    for (const [index, page] of pages.entries()) {
      const told = [...(PAGES[index]?.lines ?? [])];
      const found = linesOfHocr(page);
      expect(found.map((line) => line.text)).toEqual(['A & "B"', '日本', 'up & on']);
      expect(found.map((line) => line.block)).toEqual([0, 0, 1]);
      for (const [at, line] of told.entries()) {
        expectSame(found[at], line, found[at]?.words.length === 0);
        expect(found[at]?.words.length).toBe(line.words?.length ?? 0);
        for (const [n, word] of (line.words ?? []).entries()) expectSame(found[at]?.words[n], word, true);
      }
    }
  });

  it('has pages in pixels, of a PDF at the resolution that it was drawn at', () => {
    expect(titles('ocr_page')).toEqual([
      'bbox 0 0 1000 2000; ppageno 1; scan_res 300 300',
      'bbox 0 0 1190 1684; ppageno 2; scan_res 144 144',
    ]);
  });

  it('has a block for lines of one number', () => {
    expect(titles('ocr_carea').slice(0, 2)).toEqual(['bbox 100 200 500 300', 'bbox 800 600 850 1000']);
  });

  it('says of lines where they stand and how they run', () => {
    expect(titles('ocr_line').slice(0, 3)).toEqual([
      'bbox 100 200 500 240; baseline 0 0',
      'bbox 100 260 300 300; baseline 0 0',
      'bbox 800 600 850 1000; textangle 90; x_wconf 70',
    ]);
  });

  it('has words with their certainty, and blanks where the line has them', () => {
    expect(titles('ocrx_word').slice(0, 3)).toEqual([
      'bbox 100 200 200 240; x_wconf 95',
      'bbox 250 200 300 240; x_wconf 50',
      'bbox 400 200 500 240',
    ]);
    const plain = text.slice(text.indexOf('<body>')).replace(/<[^>]*>/g, '');
    expect(plain).toContain('A &amp; &quot;B&quot;\n日本\n');
    expect(plain).toContain('up &amp; on');
  });
});

interface Found {
  readonly text: string;
  readonly bounds: readonly number[];
  readonly confidence?: number;
}

/** What was told, to half a pixel and half a per cent; without characters that XML cannot have. */
function expectSame(found: Found | undefined, told: TextLine, hasConfidence: boolean): void {
  const [xs, ys] = [0, 1].map((axis) => told.polygon.filter((_, at) => at % 2 === axis));
  const bounds = [Math.min(...(xs ?? [])), Math.min(...(ys ?? [])), Math.max(...(xs ?? [])), Math.max(...(ys ?? []))];
  expect(found?.text).toBe(told.text.replace('\u0001', ''));
  for (const [side, value] of bounds.entries()) expect(found?.bounds[side]).toBeCloseTo(value, 2.9);
  if (told.confidence === undefined || !hasConfidence) expect(found).not.toHaveProperty('confidence');
  else expect(Math.abs((found?.confidence ?? 9) - told.confidence)).toBeLessThanOrEqual(0.005);
}

describe('ALTO', async () => {
  const text = await whole(alto(each(PAGES), PROVENANCE));

  it('keeps the rules of its schema', () => {
    const root = parsedXml(text);
    expect([root.attributes['xmlns'], root.attributes['SCHEMAVERSION']]).toEqual([
      'http://www.loc.gov/standards/alto/ns-v4#',
      '4.4',
    ]);
    expect(altoFaults(root)).toEqual([]);
  });

  it.each<[string, RegExp, string]>([
    ['an order that is another', /(<Shape>.*<\/Shape>)([\s\S]*?)(<String )/, '$3CONTENT="x" />$1$3'],
    ['an attribute that is missing', / PHYSICAL_IMG_NR="\d+"/, ''],
    ['a number that is none', / HPOS="\d+"/, ' HPOS="NaN"'],
    ['an id that is none', / ID="page_/, ' ID="2page_'],
    ['a certainty above 1', / WC="0/, ' WC="2'],
    ['a reference to nothing', /PROCESSINGREFS="OCR_1"/, 'PROCESSINGREFS="OCR_0"'],
  ])('would break them with %s', (_, from, to) => {
    expect(altoFaults(parsedXml(text.replace(from, to)))).not.toEqual([]);
  });

  it('is XML', (context) => wellFormed(text, context));

  it('names the engine, the version and the request', () => {
    expect(text).toContain('<documentIdentifier>ocr_1</documentIdentifier>');
    expect(text).toContain('Text recognition by the engine tesseract');
    expect(text).toContain('<softwareVersion>1.2.3</softwareVersion>');
    // Where readers of ALTO 2 and 3 look for it, too.
    expect(elements(text, 'OCRProcessing')).toEqual([{ ID: 'OCR_1' }]);
    expect(elements(text, 'Page')).toMatchObject([
      { PHYSICAL_IMG_NR: '2', WIDTH: '1000', HEIGHT: '2000', PROCESSINGREFS: 'OCR_1' },
      { PHYSICAL_IMG_NR: '3', WIDTH: '1190', HEIGHT: '1684' },
    ]);
  });

  it('has each id once', () => {
    const ids = [...text.matchAll(/ ID="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has strings with their certainty and shape, and blanks between those that have one', () => {
    expect(elements(text, 'String').slice(0, 6)).toMatchObject([
      { CONTENT: 'A', HPOS: '100', VPOS: '200', WIDTH: '100', HEIGHT: '40', WC: '0.953' },
      { CONTENT: '&amp;', WC: '0.5' },
      { CONTENT: '&quot;B&quot;' },
      { CONTENT: '日' },
      { CONTENT: '本' },
      { CONTENT: 'up &amp; on', WC: '0.7' },
    ]);
    expect(elements(text, 'SP').slice(0, 2)).toMatchObject([
      { HPOS: '200', WIDTH: '50' },
      { HPOS: '300', WIDTH: '100' },
    ]);
    expect(elements(text, 'Polygon')[0]).toEqual({ POINTS: '100,200 500,200 500,240 100,240' });
  });
});

it('a page of a PDF that was not drawn is in pixels at the resolution that the request asks for', async () => {
  const undrawn: ReadPage = { ...OF_A_PDF, layout: { ...LAYOUT, width: 595, height: 842, unit: 'point', dpi: null } };
  const text = await whole(hocr(each([undrawn]), PROVENANCE));
  expect(text).toContain('title="bbox 0 0 1240 1754; ppageno 2; scan_res 150 150"');
  const [page] = elements(await whole(alto(each([undrawn]), PROVENANCE)), 'Page');
  expect(page).toMatchObject({ WIDTH: '1240', HEIGHT: '1754' });
});

it('a picture that does not say its resolution is in its own pixels', async () => {
  const picture: ReadPage = { ...PAGE, layout: { ...LAYOUT, width: 1000, height: 2000, dpi: null } };
  const text = await whole(hocr(each([picture]), PROVENANCE));
  expect(text).toContain('title="bbox 0 0 1000 2000; ppageno 1"');
});

describe('a page of whose text no place is known', async () => {
  const text = '# Of & by\nnobody\n\n   \nThe **second** one\u0001\n';
  const unplaced: ReadPage = { ...PAGE, page: 5, text, lines: [] };
  const unsized: ReadPage = { ...unplaced, page: 6, layout: null };
  const blank: ReadPage = { ...unplaced, page: 7, text: '' };
  const pages = [PAGE, unplaced, unsized, blank];
  const [inHocr, inAlto] = await Promise.all([hocr, alto].map((write) => whole(write(each(pages), PROVENANCE))));
  const hocrPages = allOf(parsedXml(inHocr ?? '')).filter(({ attributes }) => attributes['class'] === 'ocr_page');
  const altoPages = allOf(parsedXml(inAlto ?? '')).filter(({ name }) => name === 'Page');

  it('is XML', (context) => {
    for (const file of [inHocr, inAlto]) wellFormed(file ?? '', context);
  });

  it('has it as paragraphs in hOCR, none of which says where a line or a word stands', () => {
    expect(inHocr).toContain('content="ocr_page ocr_carea ocr_par ocr_line ocrx_word"');
    const title = 'bbox 0 0 1000 2000';
    expect(hocrPages.map((page) => childrenOf(page).map(textOf)).slice(1)).toEqual([
      ['Of & by\nnobody', 'The second one'],
      ['Of & by\nnobody', 'The second one'],
      [],
    ]);
    expect(hocrPages.slice(1, 3).map((page) => childrenOf(page).map(({ attributes }) => attributes))).toEqual([
      [
        { class: 'ocr_par', id: 'par_5_1', title },
        { class: 'ocr_par', id: 'par_5_2', title },
      ],
      [
        { class: 'ocr_par', id: 'par_6_1' },
        { class: 'ocr_par', id: 'par_6_2' },
      ],
    ]);
  });

  it('has it as one block in ALTO, by its rules, without places of lines and strings', () => {
    expect(altoFaults(parsedXml(inAlto ?? ''))).toEqual([]);
    const inside = (page: Element | undefined, kind: string) =>
      allOf(page ?? parsedXml('<none />')).flatMap(({ name, attributes: { ID: _, ...others } }) =>
        name === kind ? [others] : [],
      );
    const [, withSize, withoutSize, empty] = altoPages;
    expect(inside(withSize, 'TextBlock')).toEqual([{ HPOS: '0', VPOS: '0', WIDTH: '1000', HEIGHT: '2000' }]);
    expect(inside(withoutSize, 'TextBlock')).toEqual([{}]);
    expect(inside(empty, 'TextBlock')).toEqual([]);
    for (const page of [withSize, withoutSize]) {
      expect(inside(page, 'TextLine')).toEqual([{}, {}, {}]);
      const words = ['Of', '&', 'by', 'nobody', 'The', 'second', 'one'];
      expect(inside(page, 'String')).toEqual(words.map((CONTENT) => ({ CONTENT })));
      expect(inside(page, 'SP')).toEqual([{}, {}, {}, {}]);
    }
  });
});
