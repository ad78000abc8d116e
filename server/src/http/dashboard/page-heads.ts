import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from './escape-html.ts';

/** Title and purpose of a page. */
interface PageHead {
  readonly title: string;
  readonly lead: string;
}

/**
 * Gives the head of the page at a path, as HTML that the build has left: people read it while the program that draws the page is
 * on its way. Empty for pages whose head depends on what they show.
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
