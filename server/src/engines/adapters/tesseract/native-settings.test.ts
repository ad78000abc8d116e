import { describe, expect, it } from 'vitest';
import { forwardedAs, forwardedUnseen, readNativeSettings, takenSettings } from './native-settings.ts';

const read = readNativeSettings;

describe('readNativeSettings', () => {
  it('names twenty settings that it leaves out, and counts the rest', () => {
    const { warnings } = readNativeSettings(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x-${n}`, 1])));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('480 more fields of native_settings were ignored.');
  });

  it('takes lang, psm and dpi as options, under the names of their variables too', () => {
    expect(read({ lang: 'eng+jpn', psm: 6, dpi: '150', oem: 1 })).toEqual({
      lang: 'eng+jpn',
      psm: 6,
      dpi: 150,
      variables: {},
      used: { lang: 'eng+jpn', psm: 6, dpi: '150', oem: 1 },
      warnings: [],
    });
    expect(read({ tessedit_pageseg_mode: '7', user_defined_dpi: 300 })).toMatchObject({ psm: 7, dpi: 300 });
  });

  it('uses the later of two names for one option', () => {
    expect(read({ psm: 6, debug_file: '/tmp/x', tessedit_pageseg_mode: 7 }).used).toEqual({ tessedit_pageseg_mode: 7 });
  });

  it('passes variables on as text', () => {
    const native = { tessedit_char_whitelist: '0123456789', invert_threshold: 0.5, preserve_interword_spaces: true };
    expect(read(native)).toMatchObject({
      variables: { tessedit_char_whitelist: '0123456789', invert_threshold: '0.5', preserve_interword_spaces: '1' },
      warnings: [],
    });
  });

  it.each([
    'user_words_file',
    'user_patterns_suffix',
    'debug_file',
    'tessedit_write_images',
    'tessedit_write_params_to_file',
    'tessedit_create_pdf',
    'tessedit_dump_pageseg_images',
    'tessedit_load_sublangs',
    'tessdata-dir',
    'tessdata_dir',
    'classify_save_adapted_templates',
    'equationdetect_save_bi_image',
    'wordrec_display_splits',
    'tessedit_resegment_from_boxes',
    '-l',
    'a=b -c debug_file',
  ])('refuses %s with a warning, since it is no setting of how text is read', (key) => {
    const { variables, warnings } = read({ [key]: '/tmp/x' });
    expect(variables).toEqual({});
    expect(warnings).toEqual([expect.stringContaining(`native_settings.${key} was ignored`)]);
  });

  it.each([
    { psm: 0 },
    { psm: 2 },
    { psm: 14 },
    { psm: '6; ls' },
    { oem: 0 },
    { oem: 2 },
    { dpi: 69 },
    { dpi: 2401 },
    { lang: ['eng'] },
    { tessedit_char_whitelist: 'a\nb' },
    { tessedit_char_whitelist: { a: 1 } },
    { tessedit_char_whitelist: null },
  ])('ignores %j with a warning', (native) => {
    expect(read(native)).toEqual({
      lang: null,
      psm: null,
      dpi: null,
      variables: {},
      used: {},
      warnings: [expect.stringContaining('was ignored')],
    });
  });
});

describe('takenSettings', () => {
  const native = readNativeSettings({ psm: 1, lang: 'eng', textord_new: 1, textord_old: true });

  it('are without variables that the program does not know, as the caller gave them', () => {
    expect(takenSettings(native, { unknown: ['textord_new'], mode: 1 })).toEqual({
      psm: 1,
      lang: 'eng',
      textord_old: true,
    });
  });

  it('have the mode that the program reads in', () => {
    expect(takenSettings(native, { unknown: [], mode: 3 })).toMatchObject({ psm: 3, textord_new: 1 });
    const byVariable = readNativeSettings({ tessedit_pageseg_mode: '12' });
    expect(takenSettings(byVariable, { unknown: [], mode: 11 })).toEqual({ tessedit_pageseg_mode: 11 });
    expect(takenSettings(byVariable, { unknown: [], mode: 12 })).toEqual({ tessedit_pageseg_mode: '12' });
  });
});

const SETTINGS = { language: 'en', languageNative: 'eng', dpi: 300, detectTables: false, native: {} };
const unseen = (native: Record<string, unknown>) => forwardedUnseen({ ...SETTINGS, native });

describe('what the program is told before it is called', () => {
  it('is the language of the request, and no setting that is ignored', () => {
    const native = { psm: 99, debug_file: '/tmp/x', dpi: 150 };
    expect(unseen(native)).toEqual({ language: 'en', languageNative: 'eng', native: { dpi: 150 } });
  });

  it.each([
    ['kor', 'ko', 'kor'],
    [' chi_tra + eng', 'zh-Hant+en', 'chi_tra+eng'],
    ['jpn_vert', 'ja', 'jpn_vert'],
    ['own_data', 'own_data', 'own_data'],
    ['../xyz', 'en', 'eng'],
    ['', 'en', 'eng'],
  ])('is the language %j that native_settings choose', (lang, language, languageNative) => {
    expect(unseen({ lang })).toEqual({ language, languageNative, native: { lang } });
  });

  it('is the language of the request where the other is none', () => {
    expect(unseen({ lang: ['kor'] })).toEqual({ language: 'en', languageNative: 'eng', native: {} });
  });
});

describe('what the program was told', () => {
  it('is the language of the request where it has data for it', () => {
    const settings = { ...SETTINGS, language: 'nb', languageNative: 'nor' };
    const told = forwardedAs(settings, { languages: ['nor'], own: null });
    expect(told).toMatchObject({ language: 'nb', languageNative: 'nor' });
  });

  it('is the languages that it has data for where some are missing', () => {
    const settings = { ...SETTINGS, language: 'ko+xyz', languageNative: 'kor+xyz' };
    const told = forwardedAs(settings, { languages: ['kor'], own: null });
    expect(told).toMatchObject({ language: 'ko+xyz', languageNative: 'kor' });
    const own = forwardedAs(settings, { languages: ['kor'], own: 'kor+xyz' });
    expect(own).toMatchObject({ language: 'ko', languageNative: 'kor' });
  });
});
