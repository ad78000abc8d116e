import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/schema.ts';

interface Described {
  readonly place: string;
  readonly description: string | null | undefined;
}

const types = Object.values(makeSchema([]).getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

/** Everything in the schema that a caller may meet. */
const all: Described[] = types.flatMap((type) => {
  const own = { place: type.name, description: type.description };
  if (isEnumType(type)) return [own, ...type.getValues().map((value) => within(type.name, value))];
  if (isInputObjectType(type))
    return [own, ...Object.values(type.getFields()).map((field) => within(type.name, field))];
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  const fields = Object.values(type.getFields());
  return [
    own,
    ...fields.map((field) => within(type.name, field)),
    ...fields.flatMap((field) => field.args.map((arg) => within(`${type.name}.${field.name}`, arg))),
  ];
});

function within(parent: string, { name, description }: { name: string; description?: string | null }): Described {
  return { place: `${parent}.${name}`, description };
}

it('describes every type, field, argument and value', () => {
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter(({ description }) => !description?.trim()).map(({ place }) => place)).toEqual([]);
});

it('describes in sentences: each begins like one and has an end', () => {
  const odd = all.filter(({ description }) => description && !/^[\p{Lu}\d`].*[.:)]$/su.test(description.trim()));
  expect(odd.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});
