import { expect, it } from 'vitest';
import { doclingLayout } from './layout.ts';

it('follows its reading order through a group of any number of items', () => {
  const bbox = { l: 10, t: 20, r: 60, b: 40, coord_origin: 'TOPLEFT' };
  const children = Array.from({ length: 300_000 }, (_, at) => ({ $ref: `#/pictures/${at}` }));
  const document = {
    pages: { 1: { page_no: 1, size: { width: 200, height: 100 } } },
    body: { children: [{ $ref: '#/groups/0' }] },
    groups: [{ children: [{ $ref: '#/texts/1' }, { $ref: '#/texts/0' }, ...children] }],
    texts: ['second', 'first'].map((text) => ({ text, prov: [{ page_no: 1, bbox }], children: [] })),
    tables: [],
  };
  const layout = doclingLayout(document, { positions: true, tables: false });
  expect(layout?.lines.map(({ text }) => text)).toEqual(['first', 'second']);
});
