import { TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/schema.ts';
import { readFace } from './face-documents.ts';
import { FACES, fieldsOf } from './face-numbers.ts';
import { isNumber } from './watched.ts';

it.each(FACES)(
  'compares every number of $folder that is counted with the rows that it is of',
  ({ folder, compared, readAsTheyAre }) => {
    const listed = [...fieldsOf(compared), ...fieldsOf(readAsTheyAre)];
    expect([...numbersOf(folder)].toSorted()).toEqual([...new Set(listed)].toSorted());
  },
);

/** Every number that a face asks for, as type and field. */
function numbersOf(folder: string): Set<string> {
  const info = new TypeInfo(makeSchema([]));
  const found = new Set<string>();
  visit(
    readFace(folder),
    visitWithTypeInfo(info, {
      Field({ name }) {
        const type = info.getType();
        if (type && isNumber(type)) found.add(`${info.getParentType()}.${name.value}`);
      },
    }),
  );
  return found;
}
