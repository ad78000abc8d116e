import { bytesInTurns } from '../../platform/turns/bytes-in-turns.ts';
import { escaped } from './escaped.ts';
import { boxOfPage, type PixelBox, type PixelLine, type PixelPage, type PixelWord, pixelPage } from './pixel-page.ts';
import type { Provenance, ReadPage } from './read-page.ts';
import { line, lines } from './text-lines.ts';

const NAMESPACE = 'http://www.loc.gov/standards/alto/ns-v4#';
const SCHEMA = 'http://www.loc.gov/standards/alto/v4/alto-4-4.xsd';

/**
 * The pages as ALTO 4.4, in parts: blocks, lines, strings and the blanks between them, in pixels; without places where
 * those of a page's text are not known.
 */
export async function* alto(pages: AsyncIterable<ReadPage>, provenance: Provenance): AsyncGenerator<string | Buffer> {
  yield lines([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<alto xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} ${SCHEMA}" SCHEMAVERSION="4.4">`,
    ...description(provenance),
    '<Layout>',
  ]);
  for await (const page of pages) {
    yield* bytesInTurns(pageElement(page, await pixelPage(page, provenance.dpi), provenance));
  }
  yield lines(['</Layout>', '</alto>']);
}

/** `OCRProcessing` is what all versions of ALTO know: 4 has `Processing` beside it, which readers of 2 and 3 pass by. */
function description({ requestId, version, engines }: Provenance): string[] {
  return [
    '<Description>',
    '<MeasurementUnit>pixel</MeasurementUnit>',
    '<sourceImageInformation>',
    `<documentIdentifier>${escaped(requestId)}</documentIdentifier>`,
    '</sourceImageInformation>',
    ...engines.flatMap((engine, index) => [
      `<OCRProcessing ID="OCR_${index + 1}">`,
      '<ocrProcessingStep>',
      '<processingCategory>contentGeneration</processingCategory>',
      `<processingStepDescription>${escaped(`Text recognition by the engine ${engine}`)}</processingStepDescription>`,
      '<processingSoftware>',
      '<softwareName>ocr-router</softwareName>',
      `<softwareVersion>${escaped(version)}</softwareVersion>`,
      '</processingSoftware>',
      '</ocrProcessingStep>',
      '</OCRProcessing>',
    ]),
    '</Description>',
  ];
}

function* pageElement({ page, engine }: ReadPage, pixels: PixelPage, { engines }: Provenance): Generator<string> {
  const { width, height, blocks } = pixels;
  const by = `PROCESSINGREFS="OCR_${engines.indexOf(engine) + 1}"`;
  yield line(`<Page ID="page_${page}" PHYSICAL_IMG_NR="${page}" WIDTH="${width}" HEIGHT="${height}" ${by}>`);
  yield line(`<PrintSpace HPOS="0" VPOS="0" WIDTH="${width}" HEIGHT="${height}">`);
  for (const [index, block] of blocks.entries()) {
    yield line(`<TextBlock ID="block_${page}_${index + 1}" ${place(block.box)}>`);
    let at = 0;
    for (const inside of block.lines()) yield* lineElement(inside, `${page}_${index + 1}_${++at}`);
    yield line('</TextBlock>');
  }
  yield* unplacedElement(page, pixels);
  yield lines(['</PrintSpace>', '</Page>']);
}

/** One block, since nothing is known of where its lines stand. */
function* unplacedElement(number: number, page: PixelPage): Generator<string> {
  if (page.unplaced.length === 0) return;
  const box = boxOfPage(page);
  yield line(`<TextBlock ID="block_${number}_1"${box ? ` ${place(box)}` : ''}>`);
  for (const [index, text] of page.unplaced.flat().entries()) {
    const id = `${number}_1_${index + 1}`;
    yield line(`<TextLine ID="line_${id}">`);
    let at = 0;
    for (const [word] of text.matchAll(/\S+/g)) {
      if (at > 0) yield line('<SP />');
      yield line(`<String ID="string_${id}_${++at}" CONTENT="${escaped(word)}" />`);
    }
    yield line('</TextLine>');
  }
  yield line('</TextBlock>');
}

function* lineElement(told: PixelLine, id: string): Generator<string> {
  const [, , right, left] = told.points;
  const words = told.words.length > 0 ? told.words : [{ ...told, spaced: false }];
  const baseline = `BASELINE="${left?.join(',')} ${right?.join(',')}"`;
  yield lines([`<TextLine ID="line_${id}" ${place(told.box)} ${baseline}>`, shape(told)]);
  for (const [index, word] of words.entries()) yield stringElement(word, words[index + 1], `${id}_${index + 1}`);
  yield line('</TextLine>');
}

function stringElement(word: PixelWord, next: PixelWord | undefined, id: string): string {
  const sure = word.confidence === null ? '' : ` WC="${word.confidence}"`;
  const content = escaped(word.text.replace(/\s+/g, ' '));
  const string = `<String ID="string_${id}" ${place(word.box)} CONTENT="${content}"${sure}>${shape(word)}</String>`;
  if (!word.spaced || !next) return line(string);
  const [, top, right, bottom] = word.box;
  return lines([string, `<SP ${place([right, top, Math.max(right, next.box[0]), bottom])} />`]);
}

function shape({ points }: Pick<PixelWord, 'points'>): string {
  return `<Shape><Polygon POINTS="${points.map((point) => point.join(',')).join(' ')}" /></Shape>`;
}

function place([left, top, right, bottom]: PixelBox): string {
  return `HPOS="${left}" VPOS="${top}" WIDTH="${right - left}" HEIGHT="${bottom - top}"`;
}
