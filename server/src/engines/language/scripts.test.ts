import { describe, expect, it } from 'vitest';
import { languagesOfScript, scriptOf } from './scripts.ts';

describe('scriptOf', () => {
  it.each([
    ['eng', 'Latn'],
    ['deu', 'Latn'],
    ['rus', 'Cyrl'],
    ['th', 'Thai'],
    ['tha', 'Thai'],
    ['kat', 'Geor'],
    ['jpn_vert', 'Jpan'],
    ['chi_tra', 'Hant'],
    ['nonsense', null],
    ['', null],
    ['../x', null],
  ])('knows that %j is written in %s', (code, script) => {
    expect(scriptOf(code)).toBe(script);
  });
});

describe('languagesOfScript', () => {
  it('knows languages of scripts other than Latin', () => {
    expect(languagesOfScript('Greek')).toContain('ell');
    for (const name of ['Latin', 'Fraktur', 'constructor', '']) expect(languagesOfScript(name)).toEqual([]);
  });
});
