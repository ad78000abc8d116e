import { describe, expect, it } from 'vitest';
import {
  areClear,
  chooseLanguages,
  isClearLine,
  isForeignLine,
  missingData,
  sureOfLine,
  unknownLetters,
} from './languages.ts';

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

describe('a line of letters that were not read', () => {
  const line = { text: 'West WA WLEsialll eA', letters: 17, confidence: 0.18, surestWord: 0.5 };
  const other = { name: 'Cyrillic', confidence: 1.6 };

  it('is clear where it has a dozen of them, large and sharp', () => {
    const page = { letters: 12, wordHeight: 28, edgeSteepness: 0.5 };
    expect(isClearLine(page)).toBe(true);
    for (const more of [{ letters: 11 }, { letters: 60 }, { wordHeight: 14 }, { edgeSteepness: 0.25 }]) {
      expect(isClearLine({ ...page, ...more })).toBe(false);
    }
  });

  it('is foreign where it reads like nothing', () => {
    expect(isForeignLine(line, other)).toBe(true);
    expect(isForeignLine(line, null)).toBe(true);
    expect(isForeignLine({ ...line, text: 'yzyounduiioualinsa', confidence: 0.02 }, other)).toBe(true);
    expect(isForeignLine({ ...line, letters: 27, confidence: 0.45, text: '439d 50890860' }, other)).toBe(true);
  });

  it.each([
    ['a word that is known', { text: 'Sasirtict bir éftit', surestWord: 0.93 }],
    ['letters that are known, with accents', { confidence: 0.27 }],
    ['few words', { text: 'Donaudampfschiff' }],
    ['digits, as a code has', { text: 'VIN HGBH41 JXMN AB' }],
  ])('is none with %s', (_name, more) => {
    expect(isForeignLine({ ...line, ...more }, other)).toBe(false);
  });

  it('is none that detection takes for Latin, unless hardly a letter of it was read', () => {
    const latin = { name: 'Latin', confidence: 0.8 };
    expect(isForeignLine({ ...line, letters: 23, confidence: 0.21 }, latin)).toBe(false);
    expect(isForeignLine({ ...line, letters: 27, confidence: 0.1 }, latin)).toBe(true);
  });

  it('has a script of its own only where detection is sure of one that Latin letters are not taken for', () => {
    const bengali = { name: 'Bengali', confidence: 23 };
    expect(sureOfLine(bengali)).toBe(bengali);
    for (const script of [null, { ...bengali, confidence: 2 }, { ...bengali, name: 'Cyrillic' }]) {
      expect(sureOfLine(script)).toBeNull();
    }
  });
});
