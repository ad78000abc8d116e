import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A page of the documentation. */
export interface Page {
  /** From the root of the project: `docs/start.md`. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Where its first line stands, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: `run` and `operator` are run, `answer` is what the block before it prints; empty for most. */
  readonly role: string;
  readonly code: string;
}

/** The README, and what stands in `docs/`. */
export function readPages(): Page[] {
  const names = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...names.map((name) => `docs/${name}`)].map(readPage);
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

const FENCE = /^```([^\n]*)\n(.*?)^```$/gms;

export function blocksOf({ path, text }: Page): Block[] {
  return [...text.matchAll(FENCE)].map(({ 1: info = '', 2: code = '', index }) => {
    const [language = '', ...role] = info.split(' ');
    return { page: path, line: lineAt(text, index) + 1, language, role: role.join(' '), code };
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** The page without what is code. */
export function proseOf({ text }: Page): string {
  return text.replace(FENCE, '').replace(/`[^`\n]*`/g, '');
}

/** The headings of a page, without its code. */
export function headingsOf({ text }: Page): string[] {
  return [...text.replace(FENCE, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.trim());
}
