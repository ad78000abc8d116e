import { escaped } from './escaped.ts';
import { type PixelBox, type PixelLine, type PixelPage, type PixelWord, pixelPage } from './pixel-page.ts';
import type { Provenance, ReadPage } from './read-page.ts';

const NAMESPACE = 'http://www.loc.gov/standards/alto/ns-v4#';
const SCHEMA = 'http://www.loc.gov/standards/alto/v4/alto-4-4.xsd';

/** The pages as ALTO 4.4, in parts: blocks, lines, strings and the blanks between them, in pixels. */
export async function* alto(pages: AsyncIterable<ReadPage>, provenance: Provenance): AsyncGenerator<string> {
  yield lines([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<alto xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} ${SCHEMA}" SCHEMAVERSION="4.4">`,
    ...description(provenance),
    '<Layout>',
  ]);
  for await (const page of pages) yield lines(pageElement(page, pixelPage(page), provenance));
  yield lines(['</Layout>', '</alto>']);
}

function lines(elements: readonly string[]): string {
  return elements.map((element) => `${element}\n`).join('');
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

function pageElement(
  { page, engine }: ReadPage,
  { width, height, blocks }: PixelPage,
  { engines }: Provenance,
): string[] {
  const by = `PROCESSINGREFS="OCR_${engines.indexOf(engine) + 1}"`;
  return [
    `<Page ID="page_${page}" PHYSICAL_IMG_NR="${page}" WIDTH="${width}" HEIGHT="${height}" ${by}>`,
    `<PrintSpace HPOS="0" VPOS="0" WIDTH="${width}" HEIGHT="${height}">`,
    ...blocks.flatMap(({ box, lines: inside }, index) => [
      `<TextBlock ID="block_${page}_${index + 1}" ${place(box)}>`,
      ...inside.flatMap((line, at) => lineElement(line, `${page}_${index + 1}_${at + 1}`)),
      '</TextBlock>',
    ]),
    '</PrintSpace>',
    '</Page>',
  ];
}

function lineElement(line: PixelLine, id: string): string[] {
  const [, , right, left] = line.points;
  const words = line.words.length > 0 ? line.words : [{ ...line, spaced: false }];
  return [
    `<TextLine ID="line_${id}" ${place(line.box)} BASELINE="${left?.join(',')} ${right?.join(',')}">`,
    shape(line),
    ...words.flatMap((word, index) => stringElement(word, words[index + 1], `${id}_${index + 1}`)),
    '</TextLine>',
  ];
}

function stringElement(word: PixelWord, next: PixelWord | undefined, id: string): string[] {
  const sure = word.confidence === null ? '' : ` WC="${word.confidence}"`;
  const content = escaped(word.text.replace(/\s+/g, ' '));
  const string = `<String ID="string_${id}" ${place(word.box)} CONTENT="${content}"${sure}>${shape(word)}</String>`;
  if (!word.spaced || !next) return [string];
  const [, top, right, bottom] = word.box;
  return [string, `<SP ${place([right, top, Math.max(right, next.box[0]), bottom])} />`];
}

function shape({ points }: Pick<PixelWord, 'points'>): string {
  return `<Shape><Polygon POINTS="${points.map((point) => point.join(',')).join(' ')}" /></Shape>`;
}

function place([left, top, right, bottom]: PixelBox): string {
  return `HPOS="${left}" VPOS="${top}" WIDTH="${right - left}" HEIGHT="${bottom - top}"`;
}
