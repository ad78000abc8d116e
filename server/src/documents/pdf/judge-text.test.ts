import { describe, expect, it } from 'vitest';
import { judgeText } from './judge-text.ts';
import type { PageSignals } from './page-signals.ts';

const PAGE: PageSignals = {
  text: 'The quick brown fox jumps over the lazy dog, again and again.',
  pictureShare: 0,
  visibleRuns: 10,
  hiddenRuns: 0,
  textHeightShare: 1,
  strokes: 0,
  unmappedShare: 0,
};

function kind(signals: Partial<PageSignals>) {
  return judgeText({ ...PAGE, ...signals }).kind;
}

describe('judgeText', () => {
  it('trusts ordinary text, beside pictures too', () => {
    expect(kind({})).toBe('text');
    expect(kind({ pictureShare: 0.6 })).toBe('text');
    expect(kind({ pictureShare: 1, textHeightShare: 0.5 })).toBe('text');
  });

  it('calls a page without text blank unless a picture or a drawing is on it', () => {
    expect(kind({ text: ' \r\n' })).toBe('blank');
    expect(kind({ text: '', strokes: 5 })).toBe('blank');
    expect(kind({ text: '', pictureShare: 0.02 })).toBe('scanned');
    expect(kind({ text: '', strokes: 4000 })).toBe('scanned');
  });

  it('takes a line or two over a full-page picture as a scan', () => {
    expect(kind({ pictureShare: 0.95, textHeightShare: 0.06 })).toBe('scanned');
  });

  it('takes invisible text over a picture as a scan that somebody recognised', () => {
    expect(kind({ pictureShare: 0.9, visibleRuns: 0, hiddenRuns: 40 })).toBe('scanned');
    expect(kind({ pictureShare: 0.4, visibleRuns: 1, hiddenRuns: 40 })).toBe('scanned');
    expect(kind({ pictureShare: 0.4, visibleRuns: 40, hiddenRuns: 1 })).toBe('text');
    expect(kind({ pictureShare: 0, visibleRuns: 1, hiddenRuns: 40 })).toBe('text');
  });

  it('tells such a scan from one that nobody has recognised', () => {
    const recognised = (signals: Partial<PageSignals>) => judgeText({ ...PAGE, ...signals }).isRecognised ?? false;
    expect(recognised({ pictureShare: 0.9, visibleRuns: 0, hiddenRuns: 40 })).toBe(true);
    expect(recognised({ pictureShare: 0.95, textHeightShare: 0.06 })).toBe(false);
    expect(recognised({ text: '', pictureShare: 0.9 })).toBe(false);
    expect(recognised({})).toBe(false);
  });

  it.each([
    ['control codes', '\x01\x02\x03\x04\x05 text'],
    ['private use', '\ue001\ue002\ue003\ue004 and so on'],
    ['replacement characters', '\ufffd\ufffd\ufffd\ufffd\ufffd word'],
    ['unnamed glyphs', '(cid:12)(cid:7)(cid:33) a'],
    ['names of glyphs', '/G01/G0A/G1F/G20'],
    ['signs in place of letters', '"7+%- !$&(/ #;<>? @[]'],
  ])('takes %s for a broken text layer', (_, text) => {
    expect(judgeText({ ...PAGE, text })).toMatchObject({ kind: 'scanned', reason: expect.stringContaining('meaning') });
  });

  it('takes glyphs that the font does not explain for a broken text layer', () => {
    expect(kind({ unmappedShare: 0.6 })).toBe('scanned');
    expect(kind({ unmappedShare: 0.05 })).toBe('text');
  });

  it.each([
    [
      'a table of contents',
      'Introduction ........................................ 1\nMethods ...................... 12',
    ],
    ['a page number', '- 12 -'],
    ['two signs', '§§'],
    ['a table with frames', '┌────┬────┐\n│ 12 │ ab │\n└────┴────┘'],
    ['amounts', '€ 1,200.00 + 19 % = € 1,428.00'],
    ['formulas', 'f(x) = (a + b)² / (2c − d), x ≥ 0'],
    ['Japanese', '本日は晴天なり。東京、大阪。'],
    ['Arabic with marks of direction', '\u200fمرحبا بالعالم\u200e'],
    ['emoji between words', 'Done 🎉🎉🎉 well'],
    ['words broken at the end of a line', 'docu\ufffement recog\ufffenition'],
  ])('trusts %s', (_, text) => {
    expect(kind({ text })).toBe('text');
  });
});
