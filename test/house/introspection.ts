import { getIntrospectionQuery } from 'graphql';

/** What GraphiQL, code generators and sandboxes read the schema with, asking for everything there is. */
export const WHOLE_SCHEMA = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** A small document that asks for so many times so many copies of the schema: each level has `turns` names for one list. */
export function copiesOfSchema(turns: number): string {
  const many = (field: string) => Array.from({ length: turns }, (_, n) => `${field[0]}${n}: ${field}`).join(' ');
  return (
    `{ __schema { ${many('types { ...T }')} } } ` +
    `fragment T on __Type { ${many('fields { type { ...U } }')} } ` +
    `fragment U on __Type { ${many('fields { name type { name kind } }')} }`
  );
}
