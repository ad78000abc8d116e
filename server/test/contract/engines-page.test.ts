import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ADAPTERS } from '../../src/engines/adapters/registry.ts';
import { BUILT_IN } from '../../src/engines/built-in.ts';
import { ENTRY_FIELDS, mergeEntries } from '../../src/engines/engines-file.ts';
import { makeCatalogue } from '../../src/engines/make-catalogue.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/engines.md'), 'utf8');
const SECTIONS = PAGE.split(/^## /m).slice(1);

/** What the section of an adapter says to put into `ENGINES_FILE`. */
function exampleOf(adapter: string): unknown {
  const section = SECTIONS.find((text) => text.startsWith(`${adapter}\n`)) ?? '';
  const [, json = 'null'] = /^```json engines\n(.*?)^```$/ms.exec(section) ?? [];
  return JSON.parse(json);
}

function engineOf(adapter: string, secrets: Record<string, string>) {
  const catalogue = makeCatalogue(mergeEntries(BUILT_IN, exampleOf(adapter)), {
    secrets,
    cores: 1,
    engineLimitMs: 1000,
  });
  const engine = catalogue.engines.find((each) => each.adapter === adapter);
  if (!engine) throw new Error(`the example has no engine of ${adapter}`);
  return engine;
}

const namedKeys = Object.fromEntries([...PAGE.matchAll(/"api_key_env": "(\w+)"/g)].map(([, name]) => [name, 'id:key']));

it.each(ADAPTERS)('connects an engine of $name as the page says', ({ name, local }) => {
  expect(engineOf(name, namedKeys).status).toBe('available');
  const needsKey = JSON.stringify(exampleOf(name)).includes('api_key_env');
  expect(needsKey).toBe(!local && name !== 'textract'); // which takes the credentials that the machine has
  if (needsKey) expect(engineOf(name, {}).status).toBe('coming_soon');
});

it('has a section for every adapter, and its first example is usable', () => {
  const names = SECTIONS.map((text) => text.split('\n')[0] ?? '').filter((name) => /^[a-z-]+$/.test(name));
  expect(names.toSorted()).toEqual(ADAPTERS.map(({ name }) => name).toSorted());
  const [, first = ''] = /^```json engines\n(.*?)^```$/ms.exec(PAGE) ?? [];
  expect(mergeEntries(BUILT_IN, JSON.parse(first)).map(({ id }) => id)).toEqual(['tesseract', 'pdf-text', 'qwen-vl']);
});

it('says of every field of an entry what it is', () => {
  const table = SECTIONS.find((text) => text.startsWith('An entry\n')) ?? '';
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)]);
  expect(rows.map(([, field]) => field).toSorted()).toEqual(ENTRY_FIELDS.toSorted());
});

it('names the local ones', () => {
  const [, list = ''] = /Engines that count as local \(([^)]+)\)/.exec(PAGE) ?? [];
  const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(
    ADAPTERS.filter(({ local }) => local)
      .map(({ name }) => name)
      .toSorted(),
  );
});
