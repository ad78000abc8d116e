import { makePdf } from './pdf.ts';

const SIZE = 20;
/** Of Helvetica, in thousandths of the size. */
const WIDTHS: Readonly<Record<string, number>> = {
  ' ': 278,
  '.': 278,
  '(': 333,
  ')': 333,
  a: 556,
  b: 556,
  c: 500,
  d: 556,
  m: 833,
};

interface DrawnGlyph {
  readonly shown: string;
  /** Moves the glyph, and none after it, in points. */
  readonly by?: number;
  /** Takes no room: what comes next begins where it does. */
  readonly isMark?: boolean;
}
/** Glyphs that read as `text`, or as themselves. */
export interface Cluster {
  readonly text?: string;
  readonly glyphs: readonly DrawnGlyph[];
}

/** As Chromium writes text: each glyph is an object of its own, blanks too, and a cluster says what it reads as. */
export function glyphByGlyph(...lines: readonly (readonly (Cluster | string)[])[]): Buffer {
  const drawn = lines.map((clusters, line) => {
    let x = 72;
    return clusters.map((cluster) => {
      const { text, glyphs } =
        typeof cluster === 'string' ? { text: undefined, glyphs: [{ shown: cluster }] } : cluster;
      const objects = glyphs.map(({ shown, by = 0, isMark = false }) => {
        const at = x + by;
        if (!isMark) x += ((WIDTHS[shown] ?? 0) * SIZE) / 1000;
        return `1 0 0 1 ${at.toFixed(3)} ${700 - 30 * line} Tm (${shown.replace(/[()\\]/, '\\$&')}) Tj`;
      });
      const hex = Buffer.from(`\ufeff${text ?? ''}`, 'utf16le')
        .swap16()
        .toString('hex');
      return text === undefined ? objects.join('\n') : `/Span <</ActualText <${hex}>>> BDC\n${objects.join('\n')}\nEMC`;
    });
  });
  return makePdf([{ content: `BT /Helvetica ${SIZE} Tf\n${drawn.flat().join('\n')}\nET` }]);
}
