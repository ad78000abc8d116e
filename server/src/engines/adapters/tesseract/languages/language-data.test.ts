import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LanguageData, languagesIn } from './language-data.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'language-data-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('LanguageData', () => {
  it('has the languages of the specification, and the orientation data, without any installed', () => {
    const data = new LanguageData(dir);
    expect(['eng', 'jpn', 'chi_sim', 'kor', 'ara', 'osd'].every((code) => data.knows(code))).toBe(true);
    expect(data.knows('deu')).toBe(false);
    expect(data.knows('constructor')).toBe(false);
  });

  it('leaves the data to a program that has all of it installed', async () => {
    const data = new LanguageData(join(dir, 'unused'), { installed: { languages: ['eng', 'deu'], dir: null } });
    expect(await data.locate(['eng', 'deu'])).toBeNull();
    expect(await readdir(dir)).toEqual([]);
  });

  it('unpacks a language once, whoever else does so at the same time', async () => {
    const all = [new LanguageData(dir), new LanguageData(dir), new LanguageData(dir)];
    const folders = await Promise.all(all.map((data) => data.locate(['kor'])));
    expect(folders).toEqual([dir, dir, dir]);
    expect(await readdir(dir)).toEqual(['kor.traineddata']);
    const { mtimeMs } = await stat(join(dir, 'kor.traineddata'));
    await new LanguageData(dir).locate(['kor']);
    expect((await stat(join(dir, 'kor.traineddata'))).mtimeMs).toBe(mtimeMs);
  });

  it('replaces data that was cut short', async () => {
    const file = join(dir, 'kor.traineddata');
    await new LanguageData(dir).locate(['kor']);
    const whole = await readFile(file);
    await truncate(file, 1000);
    await new LanguageData(dir).locate(['kor']);
    expect(whole.equals(await readFile(file))).toBe(true);
  });

  it('takes what the operator has put into a folder before anything else, for every program', async () => {
    const given = join(dir, 'given');
    await new LanguageData(given).locate(['kor']);
    await writeFile(join(given, 'tha.traineddata'), 'Thai');
    await writeFile(join(given, 'notes.txt'), '');
    const found = await languagesIn(given);
    expect(found.languages.toSorted()).toEqual(['kor', 'tha']);
    const data = new LanguageData(join(dir, 'own'), {
      installed: { languages: ['eng', 'kor'], dir: null },
      given: found,
    });
    expect(data.knows('tha')).toBe(true);
    expect(await data.locate(['tha', 'kor'])).toBe(given);
    expect(await data.locate(['tha', 'jpn'])).toBe(join(dir, 'own'));
    expect(await readFile(join(dir, 'own', 'tha.traineddata'), 'utf8')).toBe('Thai');
    expect(await languagesIn(join(dir, 'missing'))).toMatchObject({ languages: [] });
    expect(await languagesIn(null)).toEqual({ languages: [], dir: null });
  });

  it('brings installed and packed data together for a mix', async () => {
    const installed = join(dir, 'installed');
    await new LanguageData(installed).locate(['kor']);
    await writeFile(join(installed, 'deu.traineddata'), 'German');
    const data = new LanguageData(join(dir, 'own'), { installed: { languages: ['deu'], dir: installed } });
    expect(await data.locate(['deu', 'kor'])).toBe(join(dir, 'own'));
    expect(await readFile(join(dir, 'own', 'deu.traineddata'), 'utf8')).toBe('German');
    expect((await readdir(join(dir, 'own'))).toSorted()).toEqual(['deu.traineddata', 'kor.traineddata']);
  });
});
