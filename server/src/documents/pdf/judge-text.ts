import type { TextPage } from '../formats/document.ts';
import { FULL_PAGE, type PageSignals } from './page-signals.ts';
import { textQuality } from './text-quality.ts';

/**
 * Least share of the page for a picture that counts, and least strokes for a drawing: smaller pictures are dots of layout, fewer
 * strokes are rules and frames.
 */
const WEIGHTY_PICTURE = 0.005;
const WEIGHTY_STROKES = 40;
/** Share of the page under pictures from which on mostly hidden text comes from somebody's OCR. */
const LARGE_PICTURE = 0.3;
/**
 * Most height, as a share of the page, of visible text over a full-page picture that is only a header, a page number or a stamp.
 */
const A_LINE_OR_TWO = 0.13;
/** Least share of broken characters: texts of real pages have at most 0.006, broken ones 0.5 and more. */
const GARBAGE = 0.3;
/**
 * Least share of letters and digits among letters and signs: broken fonts give mostly signs. Fewer than `FEW` of both tell
 * nothing.
 */
const LETTERS = 0.3;
const FEW = 4;

type Judgement = Pick<TextPage, 'kind' | 'reason' | 'isRecognised'>;

/** Judges whether the text layer of a page is what one sees on it. */
export function judgeText(signals: PageSignals): Judgement {
  const { text, pictureShare, visibleRuns, hiddenRuns, textHeightShare, strokes } = signals;
  if (text.trim() === '') {
    if (pictureShare >= WEIGHTY_PICTURE) return scanned('it is a picture without a text layer');
    return strokes >= WEIGHTY_STROKES
      ? scanned('it is a drawing without a text layer')
      : { kind: 'blank', reason: null };
  }
  if (isGarbage(signals)) return scanned('the characters of its text layer have no meaning');
  if (pictureShare >= LARGE_PICTURE && hiddenRuns > visibleRuns) {
    return { ...scanned('its text layer is invisible recognised text over a picture'), isRecognised: true };
  }
  if (pictureShare >= FULL_PAGE && textHeightShare <= A_LINE_OR_TWO) {
    return scanned('a picture fills it, and its text layer is at most a line or two');
  }
  return { kind: 'text', reason: null };
}

function isGarbage({ text, unmappedShare }: PageSignals): boolean {
  if (unmappedShare >= GARBAGE || unnamedLength(text) >= GARBAGE * text.length) return true;
  const { letters, filling, signs, noise } = textQuality(text);
  if (noise >= GARBAGE * (letters + filling + signs + noise)) return true;
  return letters + signs >= FEW && letters < LETTERS * (letters + signs);
}

/**
 * Characters of the text that name glyphs: some programs write "(cid:12)" for a glyph that they could not map, others its name in
 * the font, "/G0C".
 */
function unnamedLength(text: string): number {
  if (!text.includes('(cid:') && !text.includes('/G')) return 0;
  return text.match(/\(cid:\d+\)|\/G[0-9A-F]{2}\b/g)?.join('').length ?? 0;
}

function scanned(reason: string): Judgement {
  return { kind: 'scanned', reason };
}
