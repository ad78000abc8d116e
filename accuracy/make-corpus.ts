import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS_TEXTS, type CorpusText } from './corpus-texts.ts';
import { ASKEW_TEXTS } from './corpus-texts-askew.ts';
import { SCRIPT_TEXTS } from './corpus-texts-scripts.ts';
import { drawDocument, type Look } from './draw-document.ts';

/**
 * `node accuracy/make-corpus.ts` draws the corpus. It needs the fonts below (DejaVu, Nimbus, Noto): the pictures are
 * committed, so that a run of `npm run accuracy` needs none and every machine measures the same pixels.
 */
const CORPUS = join(import.meta.dirname, 'corpus');
const SANS = { font: 'Nimbus Sans', size: 26, width: 1000 };
const SERIF = { font: 'Nimbus Roman', size: 28, width: 1000 };
const MONO = { font: 'DejaVu Sans Mono', size: 22, width: 1000 };

const DEJAVU = { font: 'DejaVu Sans', size: 24, width: 1000, letterWidth: 0.62 };
const CJK = { size: 28, width: 1000, letterWidth: 1.02 };

const LOOKS: Readonly<Record<string, Look>> = {
  letter: SERIF,
  invoice: SANS,
  recipe: SERIF,
  notice: { ...SANS, size: 30 },
  minutes: SANS,
  travel: { ...SANS, font: 'DejaVu Sans', size: 22 },
  manual: { ...SANS, font: 'DejaVu Serif', size: 22 },
  story: SERIF,
  certificate: { ...SERIF, size: 32 },
  listing: MONO,
  noise: { ...SANS, size: 22, noise: 110, jpeg: 22 },
  skew: { ...SERIF, size: 24, turn: 4 },
  'small-print': { ...SERIF, size: 13, width: 760 },
  'two-columns': { ...SERIF, size: 21 },
  table: { ...SANS, size: 22 },
  'low-contrast': { ...SERIF, size: 22, ink: 196, paper: 222, noise: 8, jpeg: 40 },
  jpeg: { ...SANS, size: 17, width: 800, jpeg: 9 },
  blur: { ...SANS, size: 20, width: 900, blur: 2.4 },
  'salt-and-pepper': { ...SERIF, size: 24, width: 900, specks: 60 },
  'mixed-sizes': { ...SANS, sizes: [44, 26, 12] },
  numbers: { ...SANS, size: 18, width: 900, noise: 40, jpeg: 30 },
  'white-on-dark': { ...SANS, size: 22, ink: 235, paper: 40, noise: 20, jpeg: 35 },
  'italic-scan': { ...SERIF, size: 24, style: 'font-style="italic"', turn: -2, noise: 60, jpeg: 25 },
  'skew-1': { ...SERIF, size: 20, turn: 1.2 },
  'skew-2': { ...SANS, size: 22, turn: -2.4, noise: 30, jpeg: 40 },
  'skew-5': { ...SERIF, size: 24, turn: 5 },
  'three-columns': { ...SERIF, size: 19 },
  perspective: { ...SANS, size: 24, perspective: 0.25, noise: 20, jpeg: 40 },
  screen: { ...SANS, font: 'DejaVu Sans', size: 20, stripes: 60, shadow: 50, blur: 0.8, jpeg: 50 },
  receipt: { ...MONO, size: 18, width: 520, ink: 90, paper: 225, turn: -1.5, noise: 40, jpeg: 30 },
  handwriting: { ...SERIF, font: 'Z003', size: 34 },
  transparent: { ...SANS, size: 26, transparent: true },
  'low-resolution': { ...SERIF, size: 11, width: 520 },
  'arabic.ar': { font: 'Noto Naskh Arabic', size: 30, width: 1000, fromRight: true },
  'chinese.zh': { ...CJK, font: 'Noto Sans CJK SC' },
  'japanese.ja': { ...CJK, font: 'Noto Serif CJK JP' },
  'korean.ko': { ...CJK, font: 'Noto Sans CJK KR' },
  'cyrillic.ru': DEJAVU,
  'greek.el': DEJAVU,
  'devanagari.hi': { font: 'Noto Sans Devanagari', size: 28, width: 1000 },
  'armenian.hy': DEJAVU,
  shadow: { ...SANS, size: 20, shadow: 190, blur: 1, noise: 25, jpeg: 30 },
};

for (const text of [...CORPUS_TEXTS, ...ASKEW_TEXTS, ...SCRIPT_TEXTS]) {
  const look = LOOKS[text.name];
  if (!look) throw new Error(`nobody said how ${text.name} looks`);
  const { bytes, extension } = await drawDocument(text, look);
  const folder = join(CORPUS, text.set);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${text.name}.${extension}`), bytes);
  writeFileSync(join(folder, `${text.name}.txt`), `${truthOf(text)}\n`);
}

/** The text in reading order: a column after the other, a table row by row. */
function truthOf({ title, paragraphs, columns, table }: CorpusText): string {
  const rows = (table ?? []).map((row) => row.join(' '));
  return [...(title ? [title] : []), ...(paragraphs ?? []), ...(columns ?? []).flat(), ...rows].join('\n');
}
