import { createElement, type ReactElement } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/** More than a page can be drawn from at once. */
export const MOST_CHARACTERS = 200_000;
const PLUGINS = [remarkGfm];

/**
 * The text is a stranger's: HTML in it stays text, nothing that it names is fetched, and nothing in it leads away. Its
 * headings stand below those of the page.
 */
const COMPONENTS: Components = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  a: ({ children, href }) => createElement('span', { title: href }, children),
  img: ({ alt }) => createElement('em', null, alt ? `[picture: ${alt}]` : '[picture]'),
  input: ({ checked }) => createElement('span', null, checked ? '☑' : '☐'),
};

/** Markdown as elements of a page: headings, lists and tables. */
export function drawnMarkdown(text: string): ReactElement {
  return createElement(Markdown, { remarkPlugins: PLUGINS, components: COMPONENTS }, text.slice(0, MOST_CHARACTERS));
}
