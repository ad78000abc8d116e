import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { OPENAPI_FOLDER, readContract, resolvedContract, type Schema } from './resolved-contract.ts';
import { shownExamples } from './shown-examples.ts';

const CONTRACTS = [
  { name: 'openapi', folder: join(OPENAPI_FOLDER, 'public/examples') },
  { name: 'dashboard', folder: join(OPENAPI_FOLDER, 'dashboard/examples') },
] as const;

// Strict, so that a misspelt keyword of a schema fails, too.
const ajv = new Ajv({
  allErrors: true,
  strict: true,
  formats: {
    date: /^\d{4}-\d{2}-\d{2}$/,
    'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
    uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    password: true,
    binary: true,
    double: { type: 'number', validate: Number.isFinite },
    int64: { type: 'number', validate: Number.isSafeInteger },
  },
});
ajv.addVocabulary(['example', 'x-as-is']);

describe.each(CONTRACTS)('$name', ({ name, folder }) => {
  const contract = resolvedContract(name);
  const shown = shownExamples(contract);
  const { examples } = contract.components;

  it('shows only examples that its own schemas accept', () => {
    expect(shown.length).toBeGreaterThan(100);
    expect(
      shown.flatMap(({ place, schema, value }) => problems(schema, value).map((problem) => `${place} ${problem}`)),
    ).toEqual([]);
  });

  it('shows only bodies whose every property the schema describes', () => {
    const bodies = shown.filter(({ place }) => place.includes('#'));
    expect(bodies.flatMap(({ place, schema, value }) => undescribed(schema, value, place))).toEqual([]);
  });

  it('shows an example of every body', () => {
    const contents = Object.values(contract.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId, requestBody, responses }) =>
        [requestBody, ...Object.values(responses)].flatMap((body) =>
          Object.entries(body?.content ?? {}).map(([type, media]) => ({ place: `${operationId} ${type}`, media })),
        ),
      ),
    );
    const bare = contents.filter(
      ({ media }) => media.example === undefined && Object.keys(media.examples ?? {}).length === 0,
    );
    expect(contents.length).toBeGreaterThan(20);
    expect(bare.map(({ place }) => place)).toEqual([]);
  });

  it('uses every example that it keeps', () => {
    const text = JSON.stringify(readContract(name));
    const unused = Object.keys(examples).filter((name) => !text.includes(`"#/components/examples/${name}"`));
    expect(unused).toEqual([]);
  });

  it('has each example as a file that a client can send or compare', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const kept = files.map((name) => [
      name.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, name), 'utf8')),
    ]);
    const values = Object.entries(examples).map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(values));
  });
});

function problems(schema: Schema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Paths of the properties that a value has and its schema does not know; free objects may have any. */
function undescribed(schema: Schema, value: unknown, place: string): string[] {
  if (schema.oneOf)
    return undescribed(schema.oneOf.find((branch) => problems(branch, value).length === 0) ?? {}, value, place);
  if (Array.isArray(value)) return value.flatMap((item, i) => undescribed(schema.items ?? {}, item, `${place}[${i}]`));
  const { properties } = schema;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    return property ? undescribed(property, inner, `${place}.${name}`) : [`${place}.${name}`];
  });
}
