import { describe, expect, it } from 'vitest';
import { NO_TEXT, transcriptionPrompt } from './prompt.ts';

const settings = { languageNative: 'Japanese', detectTables: false };

describe('transcriptionPrompt', () => {
  it('names the language in words and the answer for a page without text', () => {
    const prompt = transcriptionPrompt(settings, null);
    expect(prompt).toContain('The document is in Japanese.');
    expect(prompt).toContain(NO_TEXT);
    expect(prompt).not.toMatch(/table|page /);
  });

  it('asks for tables only when they are wanted', () => {
    expect(transcriptionPrompt({ ...settings, detectTables: true }, null)).toContain('Markdown table');
  });

  it('asks for one page without marks and for several with them', () => {
    expect(transcriptionPrompt(settings, { pages: [3] })).toMatch(/only page 3 of the document/);
    expect(transcriptionPrompt(settings, { pages: [3] })).not.toContain('[[page');
    expect(transcriptionPrompt(settings, { pages: [2, 3], pagesTotal: 3 })).toMatch(
      /2, 3\. Before each page .*\[\[page 2\]\]/,
    );
  });

  it('names no page where all are asked for, whose printed numbers may be others', () => {
    expect(transcriptionPrompt(settings, { pages: [1], pagesTotal: 1 })).toBe(transcriptionPrompt(settings, null));
    const all = transcriptionPrompt(settings, { pages: [1, 2], pagesTotal: 2 });
    expect(all).toMatch(/all 2 pages .* whatever numbers are printed on them\. Before each page .*\[\[page 1\]\]/);
  });
});
