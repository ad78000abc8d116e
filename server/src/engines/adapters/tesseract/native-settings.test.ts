import { describe, expect, it } from 'vitest';
import { readNativeSettings } from './native-settings.ts';

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
      warnings: [],
    });
    expect(read({ tessedit_pageseg_mode: '7', user_defined_dpi: 300 })).toMatchObject({ psm: 7, dpi: 300 });
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
      warnings: [expect.stringContaining('was ignored')],
    });
  });
});
