import { bytesInTurns } from '../../platform/turns/bytes-in-turns.ts';
import { escaped } from './escaped.ts';
import { boxOfPage, type PixelLine, type PixelPage, type PixelWord, pixelPage } from './pixel-page.ts';
import type { Provenance, ReadPage } from './read-page.ts';
import { line, lines } from './text-lines.ts';

/**
 * The pages as hOCR 1.2, an XHTML file in parts: pages, blocks, lines and words with their boxes in pixels, and paragraphs
 * where no place of a page's text is known.
 */
export async function* hocr(
  pages: AsyncIterable<ReadPage>,
  { requestId, version, engines, dpi }: Provenance,
): AsyncGenerator<string | Buffer> {
  yield lines([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE html>',
    '<html xmlns="http://www.w3.org/1999/xhtml">',
    '<head>',
    `<title>${escaped(requestId)}</title>`,
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />',
    `<meta name="ocr-system" content="${escaped(`ocr-router ${version} (${engines.join(', ')})`)}" />`,
    '<meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word" />',
    '</head>',
    '<body>',
  ]);
  for await (const page of pages) yield* bytesInTurns(pageElement(page.page, await pixelPage(page, dpi)));
  yield lines(['</body>', '</html>']);
}

function* pageElement(number: number, page: PixelPage): Generator<string> {
  const { width, height, dpi, blocks } = page;
  const resolution = dpi === null ? '' : `; scan_res ${dpi} ${dpi}`;
  const title = `bbox 0 0 ${width} ${height}; ppageno ${number - 1}${resolution}`;
  yield line(`<div class="ocr_page" id="page_${number}" title="${title}">`);
  for (const [index, block] of blocks.entries()) {
    yield line(`<div class="ocr_carea" id="block_${number}_${index + 1}" title="bbox ${block.box.join(' ')}">`);
    let at = 0;
    for (const inside of block.lines()) yield* lineElement(inside, `${number}_${index + 1}_${++at}`);
    yield line('</div>');
  }
  yield* paragraphElements(number, page);
  yield line('</div>');
}

function* paragraphElements(number: number, page: PixelPage): Generator<string> {
  const box = boxOfPage(page);
  const title = box ? ` title="bbox ${box.join(' ')}"` : '';
  for (const [index, paragraph] of page.unplaced.entries()) {
    yield `<p class="ocr_par" id="par_${number}_${index + 1}"${title}>`;
    for (const [at, text] of paragraph.entries()) yield (at > 0 ? '\n' : '') + escaped(text);
    yield line('</p>');
  }
}

function* lineElement(told: PixelLine, id: string): Generator<string> {
  const title = `bbox ${told.box.join(' ')}; ${runOf(told)}${certainty('x_wconf', told.words.length > 0 ? null : told.confidence)}`;
  yield `<span class="ocr_line" id="line_${id}" title="${title}">`;
  if (told.words.length === 0) yield escaped(told.text);
  for (const [index, word] of told.words.entries()) yield wordElement(word, `${id}_${index + 1}`);
  yield line('</span>');
}

function wordElement({ text, box, confidence, spaced }: PixelWord, id: string): string {
  const title = `bbox ${box.join(' ')}${certainty('x_wconf', confidence)}`;
  return `<span class="ocrx_word" id="word_${id}" title="${title}">${escaped(text)}</span>${spaced ? ' ' : ''}`;
}

function certainty(name: string, confidence: number | null): string {
  return confidence === null ? '' : `; ${name} ${Math.round(confidence * 100)}`;
}

/**
 * Where the line's letters stand. For one that runs from left to right: slope and height of the baseline against the
 * lower left corner of its box; for others the angle of the text, counter-clockwise.
 */
function runOf({ points, box }: PixelLine): string {
  const [, , right = [0, 0], left = [0, 0]] = points;
  const [dx, dy] = [right[0] - left[0], right[1] - left[1]];
  const angle = (-Math.atan2(dy, dx) * 180) / Math.PI;
  if (Math.abs(angle) >= 45) return `textangle ${Number(angle.toFixed(2)) + 0}`;
  const slope = dx === 0 ? 0 : dy / dx;
  const height = left[1] - slope * (left[0] - box[0]) - box[3];
  return `baseline ${Number(slope.toFixed(4)) + 0} ${Math.round(height) + 0}`;
}
