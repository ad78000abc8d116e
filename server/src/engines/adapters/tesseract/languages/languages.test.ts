import { describe, expect, it } from 'vitest';
import { chooseLanguages, missingData } from './languages.ts';

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
  const page = { wish: 'eng', languages: ['eng'], confidence: 0.3, letters: 150, script: null, knows };
  const latin = { name: 'Latin', confidence: 15 };

  it('names the data of a script that nothing here reads', () => {
    const reason = missingData({ ...page, script: { name: 'Greek', confidence: 11 } });
    expect(reason).toMatch(/Greek.*tesseract-ocr-ell.*@tesseract\.js-data\/ell.*ell\.traineddata/);
  });

  it('names the data of the language that was asked for', () => {
    expect(missingData({ ...page, wish: ['kat'] })).toContain('tesseract-ocr-kat');
    expect(missingData({ ...page, wish: 'chi_tra+eng' })).toContain('tesseract-ocr-chi-tra');
  });

  it('says so where the letters are clear and none that it knows', () => {
    expect(missingData({ ...page, script: latin })).toMatch(/letters are clear.*settings\.language/);
  });

  it.each([
    ['Latin letters that were read better', { script: latin, confidence: 0.45 }],
    ['a few letters', { script: latin, letters: 30 }],
    ['letters that are hardly to be seen', { script: { name: 'Latin', confidence: 4 } }],
    ['a script that there is data for', { script: { name: 'Japanese', confidence: 3 } }],
    ['a script that is hardly a guess', { script: { name: 'Greek', confidence: 0.4 } }],
    ['another language in the same letters', { wish: 'deu' }],
    ['a code that is no language', { wish: '../etc' }],
    ['a language that nobody writes', { wish: 'nonsense' }],
  ])('is no reason for %s', (_name, more) => {
    expect(missingData({ ...page, ...more })).toBeNull();
  });
});
