import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { drawnMarkdown } from './drawn-markdown.ts';

function drawn(text: string): string {
  return renderToStaticMarkup(drawnMarkdown(text));
}

describe('rendered Markdown', () => {
  it('has headings below those of the page, lists and tables', () => {
    expect(drawn('# Invoice')).toContain('<h3>Invoice</h3>');
    expect(drawn('- one\n- two')).toContain('<li>two</li>');
    expect(drawn('| item | sum |\n|---|---|\n| tea | 3 |')).toContain('<td>tea</td>');
  });

  it.each([
    '<script>window.taken = 1</script>',
    'a <img src=x onerror="window.taken = 1"> b',
    '![picture](https://evil.example/x.png)',
    '[click](javascript:window.taken=1)',
    '<https://evil.example/>',
    'see https://evil.example/ there',
    '<iframe srcdoc="x"></iframe>',
    '<form action=https://evil.example><button>x</button></form>',
    '<style>* { display: none }</style>',
    'a note[^1]\n\n[^1]: [evil](https://evil.example)',
  ])('draws nothing that acts, is fetched or leads away: %s', (text) => {
    expect(drawn(text)).not.toMatch(/<(script|img|iframe|a|form|button|style|link|svg|input)\b/i);
    expect(drawn(text)).not.toMatch(/<[^>]*(javascript:|\son\w+=)/i);
  });

  it('keeps HTML of the document as its text', () => {
    expect(drawn('a <b>bold</b> word')).toContain('&lt;b&gt;bold&lt;/b&gt;');
  });

  it('draws no more than a page can hold', () => {
    expect(drawn('word '.repeat(60_000)).length).toBeLessThan(210_000);
  });
});
