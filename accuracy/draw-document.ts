import sharp, { type Sharp } from 'sharp';
import { SeededRandom } from '../test/house/seeded-random.ts';
import type { CorpusText } from './corpus-texts.ts';

/** How a document looks and what was done to it. Sizes are pixels. */
export interface Look {
  readonly font: string;
  readonly size: number;
  readonly width: number;
  readonly style?: string;
  /** Width of a letter for its size, on average; a little more than it really is. */
  readonly letterWidth?: number;
  /** Lines begin at the right. */
  readonly fromRight?: boolean;
  /** Sizes of the paragraphs in turn, where they differ. */
  readonly sizes?: readonly number[];
  readonly ink?: number;
  readonly paper?: number;
  /** Degrees, clockwise. */
  readonly turn?: number;
  /** Sigma of a Gaussian. */
  readonly blur?: number;
  /** Largest deviation of a pixel. */
  readonly noise?: number;
  /** Share of pixels, in thousandths, that are black or white. */
  readonly specks?: number;
  /** Grey levels by which the right lower corner is darker. */
  readonly shadow?: number;
  /** The share by which the top edge is shorter than the bottom one. */
  readonly perspective?: number;
  /** Grey levels by which every third row and column is darker, as of a photographed screen. */
  readonly stripes?: number;
  /** White letters on nothing. */
  readonly transparent?: boolean;
  /** Quality of a JPEG; a PNG without it. */
  readonly jpeg?: number;
}

const MARGIN = 60;
const LATIN_LETTER = 0.54;

/** Draws a text and spoils it. The same text and look give the same picture on a machine with the same fonts. */
export async function drawDocument(text: CorpusText, look: Look): Promise<{ bytes: Buffer; extension: string }> {
  const { ink = 0, paper = 255 } = look;
  const { svg, height } = layOut(text, look);
  const background = { r: paper, g: paper, b: paper };
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="${look.width}" height="${height}" fill="rgb(${ink},${ink},${ink})" stroke="none" font-family="${look.font}" ${look.style ?? ''}><rect width="100%" height="100%" fill="rgb(${paper},${paper},${paper})"/>${svg}</svg>`;
  let picture = sharp(Buffer.from(page)).flatten({ background });
  if (look.turn) picture = sharp(await picture.rotate(look.turn, { background }).png().toBuffer());
  if (look.blur) picture = sharp(await picture.blur(look.blur).png().toBuffer());
  if (look.perspective) picture = await keystone(picture, look.perspective, paper);
  const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
  spoil(data, info.width, look);
  if (look.transparent) return { bytes: await lettersAlone(data, info), extension: 'png' };
  const spoilt = sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } });
  if (look.jpeg) return { bytes: await spoilt.jpeg({ quality: look.jpeg }).toBuffer(), extension: 'jpg' };
  return { bytes: await spoilt.png({ palette: true, colours: 16, effort: 10 }).toBuffer(), extension: 'png' };
}

/** Each row shrinks towards the middle, the more the higher it stands. */
async function keystone(picture: Sharp, share: number, paper: number): Promise<Sharp> {
  const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const made = Buffer.alloc(data.length, paper);
  for (let y = 0; y < height; y++) {
    const scale = 1 - share * (1 - y / height);
    for (let x = 0; x < width; x++) {
      const from = Math.round(width / 2 + (x - width / 2) / scale);
      if (from >= 0 && from < width) made[y * width + x] = data[y * width + from] ?? paper;
    }
  }
  return sharp(
    await sharp(made, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer(),
  );
}

function lettersAlone(grey: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const pixels = Buffer.alloc(grey.length * 4, 255);
  for (const [index, level] of grey.entries()) pixels[index * 4 + 3] = 255 - level;
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png({ effort: 10 })
    .toBuffer();
}

function layOut(text: CorpusText, look: Look): { svg: string; height: number } {
  const { letterWidth = LATIN_LETTER, fromRight = false } = look;
  const [start, side] = fromRight ? [look.width - MARGIN, 'direction="rtl"'] : [MARGIN, ''];
  const parts: string[] = [];
  const inner = look.width - 2 * MARGIN;
  let y = MARGIN;
  if (text.title) {
    const size = Math.round(look.size * (look.sizes ? 3.2 : 1.5));
    y += size;
    parts.push(line(text.title, start, y, size, `font-weight="bold" ${side}`));
    y += size;
  }
  const columns = text.columns ?? [text.paragraphs ?? []];
  const gap = 50;
  const columnWidth = (inner - gap * (columns.length - 1)) / columns.length;
  const ends = columns.map((paragraphs, column) => {
    let at = y;
    for (const [index, paragraph] of paragraphs.entries()) {
      const size = look.sizes?.[index] ?? look.size;
      for (const words of wrap(paragraph, columnWidth / (size * letterWidth))) {
        at += Math.round(size * 1.4);
        parts.push(line(words, start + column * (columnWidth + gap), at, size, side));
      }
      at += Math.round(size * 0.8);
    }
    return at;
  });
  y = Math.max(...ends);
  for (const row of text.table ?? []) {
    const height = Math.round(look.size * 1.9);
    const cell = inner / row.length;
    for (const [index, words] of row.entries()) {
      const x = MARGIN + (index === 0 ? 0 : cell * (index + 0.6));
      const width = index === 0 ? cell * 1.6 : cell * (index === row.length - 1 ? 0.4 : 1);
      parts.push(
        `<rect x="${x}" y="${y}" width="${Math.max(width, 90)}" height="${height}" fill="none" stroke="rgb(60,60,60)" stroke-width="2"/>`,
      );
      parts.push(line(words, x + 12, y + Math.round(look.size * 1.3), look.size));
    }
    y += height;
  }
  return { svg: parts.join(''), height: y + MARGIN };
}

function line(words: string, x: number, y: number, size: number, more = ''): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<text x="${x}" y="${y}" font-size="${size}" ${more}>${escaped}</text>`;
}

/** Lines of Chinese and Japanese end anywhere. */
const WITHOUT_BLANKS = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{P}]+$/u;

function wrap(paragraph: string, most: number): string[] {
  if (WITHOUT_BLANKS.test(paragraph)) return paragraph.match(new RegExp(`.{1,${Math.floor(most)}}`, 'gu')) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const word of paragraph.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > most) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

function spoil(pixels: Buffer, width: number, { noise = 0, specks = 0, shadow = 0, stripes = 0 }: Look): void {
  if (noise === 0 && specks === 0 && shadow === 0 && stripes === 0) return;
  const random = new SeededRandom(20_261_121);
  const height = pixels.length / width;
  for (const [index, grey] of pixels.entries()) {
    const dark = shadow * (((index % width) / width + Math.floor(index / width) / height) / 2);
    const isStripe = (index % width) % 3 === 0 || Math.floor(index / width) % 3 === 0;
    const moved = noise === 0 ? 0 : random.below(2 * noise + 1) - noise;
    const speck = specks > 0 && random.below(1000) < specks;
    pixels[index] = speck
      ? random.pick([0, 255])
      : Math.min(255, Math.max(0, grey - dark - (isStripe ? stripes : 0) + moved));
  }
}
