import sharp from 'sharp';
import { Documents } from '../server/src/documents/documents.ts';
import { makePdf } from '../test/house/pdf.ts';
import { SeededRandom } from '../test/house/seeded-random.ts';

const DPI = 300;
const LINES = 28;
const LINE_CHARACTERS = 68;
/** Grey levels up or down, as a scanner's sensor adds them. */
const NOISE = 3;
/** Of the scanner's optics, in pixels. */
const BLUR = 0.8;
const PAPER = 0.95;
const JPEG_QUALITY = 50;
const WORDS =
  'about account again because between bridge carried certain children country during evening evidence family figure followed garden general government history important interest language letter machine material morning mountain number office paper people picture possible present question reason remember reported river second service several station summer system through together towards village water weather window winter without written'.split(
    ' ',
  );

export interface ScannedPage {
  readonly jpeg: Buffer;
  /** The same pixels as a rendering program leaves them. */
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  readonly words: readonly string[];
}

/** A4 pages of text at 300 dpi as a scanner delivers them: grey paper, noise, JPEG. The same ones in every run. */
export async function makeScannedPages(count: number): Promise<ScannedPage[]> {
  const random = new SeededRandom(1);
  const texts = Array.from({ length: count }, () => makeText(random));
  const printed = makePdf(texts.map((text) => ({ text })));
  await using documents = new Documents({
    threads: 1,
    maxPixels: 100e6,
    maxSentPixels: 100e6,
    maxPages: count,
    pdfTimeoutMs: 30_000,
    memoryMb: 512,
  });
  const pages: ScannedPage[] = [];
  for (const [index, text] of texts.entries()) {
    const { bytes } = await documents.picture(printed, 'pdf', index + 1, { dpi: DPI });
    pages.push({ ...(await scan(bytes, random)), words: text.split(/\s+/) });
  }
  return pages;
}

/** A page of lines of words. */
export function makeText(random: SeededRandom): string {
  return Array.from({ length: LINES }, () => {
    let line = random.pick(WORDS);
    for (let word = random.pick(WORDS); line.length + word.length < LINE_CHARACTERS; word = random.pick(WORDS)) {
      line += ` ${word}`;
    }
    return line;
  }).join('\n');
}

async function scan(rendered: Buffer, random: SeededRandom): Promise<Omit<ScannedPage, 'words'>> {
  const { data, info } = await sharp(rendered).greyscale().blur(BLUR).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  for (let at = 0; at < data.length; at++) {
    data[at] = Math.min(255, Math.max(0, (data[at] ?? 0) * PAPER + random.below(2 * NOISE + 1) - NOISE));
  }
  const grey = { raw: { width, height, channels: 1 as const } };
  const jpeg = await sharp(data, grey).toColourspace('srgb').jpeg({ quality: JPEG_QUALITY }).toBuffer();
  const png = await sharp(jpeg).toColourspace('b-w').png({ compressionLevel: 1 }).toBuffer();
  return { jpeg, png, width, height };
}
