import { expect, it } from 'vitest';
import { read, sourcesOf } from './imports.ts';

const SERVER = 'server/src';
/** What a statement is prepared under: `text` or, where it is put together, `columns` come next. */
const NAMED = /\bname: (['`])(.+?)\1,\s*(?:repeatable: \w+,\s*)?(?:text\b[:,]|columns:)/g;

/** A connection refuses the second of them, where it has met the first: only some connections, and not at once. */
it('no two prepared statements have the same name', () => {
  const names = sourcesOf(SERVER).flatMap((file) => [...read(SERVER, file).matchAll(NAMED)].map(([, , name]) => name));
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
