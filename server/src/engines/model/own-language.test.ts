import { expect, it } from 'vitest';
import { withOwnLanguage } from './own-language.ts';

const SETTINGS = { language: 'en', languageNative: ['en'], dpi: null, detectTables: false, native: { any: 1 } };

it.each([
  [undefined, 'en', ['en']],
  ['fr', 'fr', 'fr'],
  ['kor+eng', 'ko+en', 'kor+eng'],
  [['ch_sim', 'en'], 'zh+en', ['ch_sim', 'en']],
  [[''], null, ['']],
  ['', null, ''],
  [[], null, null],
  [['en', 5], null, null],
  [5, null, null],
  [null, null, null],
])('of the engine’s own word %j the language is %j', (own, language, languageNative) => {
  expect(withOwnLanguage(SETTINGS, own)).toEqual({ language, languageNative, native: { any: 1 } });
});
