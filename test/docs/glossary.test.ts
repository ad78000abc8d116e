import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { ROOT, readPage } from './pages.ts';

const schema = buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()).map((field) => field.name));
const values = types.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name));
const metrics = readPage('docs/metrics.md').text;

/** How a name is written, and whether what it names is there. */
const NAMES: ReadonlyArray<readonly [RegExp, (...parts: string[]) => boolean]> = [
  [/^([A-Z]\w+)\.(\w+)$/, hasField],
  [/^(\w+)\((\w+): \{(\w+)\}\)$/, takes],
  [/^(ocr_\w+)\{(\w+)\}$/, (metric, label) => labelsOf(metric).includes(label ?? '')],
  [/^(ocr_\w+)\{(\w+)="(\w+)"\}$/, hasSeries],
  [/^GET (\/v1\/\S+)$/, (path) => readPage('openapi/types.d.ts').text.includes(`"${path}": {`)],
  [/^(\w+): (\w+)$/, (field, value) => isNamed(field) && isNamed(value)],
  [/^(\w+)$/, isNamed],
];

it('has each field, status and metric that the figures of docs/concepts.md name', () => {
  const [, section = ''] = /^## Figures\n(.*?)^## /ms.exec(readPage('docs/concepts.md').text) ?? [];
  const named = [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

function isThere(name: string): boolean {
  for (const [shape, holds] of NAMES) {
    const found = shape.exec(name);
    if (found) return holds(...found.slice(1));
  }
  return false;
}

function hasField(typeName = '', field = ''): boolean {
  const type = schema.getType(typeName);
  return isObjectType(type) && field in type.getFields();
}

/** Whether a field of the query has an argument with this field in it. */
function takes(field = '', argument = '', inner = ''): boolean {
  const args = schema.getQueryType()?.getFields()[field]?.args ?? [];
  const type = args.find(({ name }) => name === argument)?.type;
  return isInputObjectType(type) && inner in type.getFields();
}

/** A field or a word of a closed set, wherever. */
function isNamed(name = ''): boolean {
  return fields.includes(name) || values.includes(name);
}

/** The row of a metric, which another test holds against what the service prints. */
function rowOf(metric = ''): string {
  return metrics.split('\n').find((line) => line.startsWith(`| \`${metric}{`)) ?? '';
}

function labelsOf(metric = ''): string[] {
  return /\{([\w,]+)\}/.exec(rowOf(metric))?.[1]?.split(',') ?? [];
}

function hasSeries(metric = '', label = '', value = ''): boolean {
  return labelsOf(metric).includes(label) && rowOf(metric).includes(`\`${value}\``);
}
