import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from './escape-html.ts';

/** What a page is called, and what it is for. */
interface PageHead {
  readonly title: string;
  readonly lead: string;
}

/**
 * The head of the page at a path, as the build has left it: it is read while the program that draws the page is on its way. None for
 * pages whose head depends on what they show.
 */
export function openPageHeads(built: string): (path: string) => string {
  const file = join(built, 'page-heads.json');
  const heads: Record<string, PageHead> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const written = new Map(Object.entries(heads).map(([path, head]) => [path, headText(head)]));
  return (path) => written.get(path) ?? '';
}

function headText({ title, lead }: PageHead): string {
  return `<div class="first-page"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead)}</p></div>`;
}
