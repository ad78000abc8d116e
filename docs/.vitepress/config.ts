import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { DESCRIPTION, readIndex, TITLE, writeLlms } from './pages.ts';

/** Names of headings as GitHub makes them, so that a link leads to the same place there and here. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Files that are no pages of the site are named there, without a link. */
function leaveOutForeignLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('foreign-links', ({ tokens }) => {
    for (const { children } of tokens) {
      if (!children) continue;
      let inside = false;
      const kept = children.filter(({ type }, index) => {
        const href = type === 'link_open' ? String(children[index]?.attrGet('href')) : '';
        if (type === 'link_open' && /^(\.\.|proxies)\//.test(href)) inside = true;
        else if (type === 'link_close' && inside) inside = false;
        else return true;
        return false;
      });
      children.splice(0, children.length, ...kept);
    }
  });
}

export default defineConfig({
  title: TITLE,
  description: DESCRIPTION,
  cleanUrls: true,
  markdown: {
    anchor: { slugify },
    attrs: { disable: true }, // `{request_id}` in a heading is no attribute
    // VitePress's own colours of code do not reach a contrast of 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: leaveOutForeignLinks,
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: readIndex().map(({ title, rows }) => ({
      text: title,
      items: rows.flatMap(({ pages }) =>
        pages.map((page) => ({ text: page.title, link: `/${page.file.replace('.md', '')}` })),
      ),
    })),
  },
  buildEnd: ({ outDir }) => writeLlms(outDir),
});
