import { describe, expect, it } from 'vitest';
import { areClear, chooseLanguages, missingData, unknownLetters } from './languages.ts';

const knows = (code: string) => ['eng', 'jpn', 'chi_sim', 'osd'].includes(code);

describe('chooseLanguages', () => {
  it('keeps the order of a mix and names each language once', () => {
    expect(chooseLanguages('jpn+eng+jpn', knows)).toEqual({ languages: ['jpn', 'eng'], warnings: [] });
    expect(chooseLanguages(['chi_sim', 'eng'], knows)).toEqual({ languages: ['chi_sim', 'eng'], warnings: [] });
  });

  it('reads with English, and says so, where there is no data for a language', () => {
    expect(chooseLanguages('tlh', knows)).toEqual({
      languages: ['eng'],
      warnings: ['tesseract has no data for language "tlh"; the page was read with English.'],
    });
  });

  it('reads with the rest of a mix', () => {
    expect(chooseLanguages('tlh+jpn', knows)).toEqual({
      languages: ['jpn'],
      warnings: ['tesseract has no data for language "tlh"; the page was read with jpn.'],
    });
  });

  it.each(['../../etc/passwd', '-c', 'eng jpn', '~eng', 'osd', 'eng/../jpn'])('takes %j for no language', (code) => {
    expect(chooseLanguages(code, () => true)).toEqual({
      languages: ['eng'],
      warnings: [expect.stringContaining(code)],
    });
  });

  it('names twenty codes that it has no data for, and counts the rest', () => {
    const codes = Array.from({ length: 300_000 }, (_, n) => `q${n}`).join('+');
    const { languages, warnings } = chooseLanguages(codes, knows);
    expect(languages).toEqual(['eng']);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('tesseract has no data for 299980 more of the languages.');
  });

  it('reads a page with twenty languages at most, and says so', () => {
    const codes = Array.from({ length: 26 }, (_, n) => `l${String.fromCharCode(97 + n)}`);
    const { languages, warnings } = chooseLanguages(codes, () => true);
    expect(languages).toEqual(codes.slice(0, 20));
    expect(warnings).toEqual(['A page is read with 20 languages at most; 6 were left out.']);
  });

  it('reads with English without a warning where nothing is asked for', () => {
    expect(chooseLanguages('', knows)).toEqual({ languages: ['eng'], warnings: [] });
  });
});

describe('missingData', () => {
  const page = { unknown: null, confidence: 0.3, script: null, knows };
  const latin = { name: 'Latin', confidence: 15 };

  it('names the data of a script that nothing here reads', () => {
    const reason = missingData({ ...page, script: { name: 'Greek', confidence: 11 } });
    expect(reason).toMatch(/Greek.*tesseract-ocr-ell.*@tesseract\.js-data\/ell.*ell\.traineddata/);
  });

  it('names the data of the language that was asked for', () => {
    expect(missingData({ ...page, unknown: 'kat' })).toContain('tesseract-ocr-kat');
    expect(missingData({ ...page, unknown: 'chi_tra', script: latin })).toContain('tesseract-ocr-chi-tra');
    expect(missingData({ ...page, unknown: 'heb', confidence: 0.7 })).toContain('tesseract-ocr-heb');
  });

  it.each([
    ['a page in Latin letters, whatever language was named', { unknown: 'heb', confidence: 0.7, script: latin }],
    ['Latin letters', { script: latin }],
    ['a script that there is data for', { script: { name: 'Japanese', confidence: 3 } }],
    ['a script that is hardly a guess', { script: { name: 'Greek', confidence: 0.4 } }],
    ['a script that nobody knows', { script: { name: 'Fraktur', confidence: 30 } }],
  ])('is no reason for %s', (_name, more) => {
    expect(missingData({ ...page, ...more })).toBeNull();
  });
});

describe('unknownLetters', () => {
  it.each([
    ['kat', { code: 'kat', isAlone: true }],
    ['chi_tra+eng', { code: 'chi_tra', isAlone: false }],
    ['eng', null],
    ['deu', null],
    ['../etc', null],
    ['nonsense', null],
  ])('are in %j those of %j', (wish, expected) => {
    expect(unknownLetters({ wish, languages: ['eng'], knows })).toEqual(expected);
  });
});

describe('areClear', () => {
  const page = { letters: 80, wordHeight: 28, edgeSteepness: 0.5 };

  it('are large and sharp letters', () => {
    expect(areClear(page)).toBe(true);
  });

  it.each([
    ['few', { letters: 12 }],
    ['small', { wordHeight: 14 }],
    ['out of focus', { edgeSteepness: 0.25 }],
    ['none', { wordHeight: null }],
  ])('are none that are %s', (_name, more) => {
    expect(areClear({ ...page, ...more })).toBe(false);
  });
});
