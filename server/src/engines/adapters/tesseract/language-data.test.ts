import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LanguageData } from './language-data.ts';

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
    const data = new LanguageData(join(dir, 'unused'), { languages: ['eng', 'deu'], dir: null });
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

  it('brings installed and packed data together for a mix', async () => {
    const installed = join(dir, 'installed');
    await new LanguageData(installed).locate(['kor']);
    await writeFile(join(installed, 'deu.traineddata'), 'German');
    const data = new LanguageData(join(dir, 'own'), { languages: ['deu'], dir: installed });
    expect(await data.locate(['deu', 'kor'])).toBe(join(dir, 'own'));
    expect(await readFile(join(dir, 'own', 'deu.traineddata'), 'utf8')).toBe('German');
    expect((await readdir(join(dir, 'own'))).toSorted()).toEqual(['deu.traineddata', 'kor.traineddata']);
  });
});
