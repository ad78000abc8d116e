import { registerEnumType } from 'type-graphql';

/**
 * A GraphQL enum whose values are spelled as everywhere else (REST, SQL, TypeScript): `values` has each with its
 * description. The answer is what `@Field(() => …)` takes; `keyof typeof` it is the TypeScript type.
 */
export function enumType<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): { readonly [value in Value]: value } {
  const entries = Object.entries<string>(values);
  const type: Record<string, string> = Object.fromEntries(entries.map(([value]) => [value, value]));
  const valuesConfig = Object.fromEntries(entries.map(([value, text]) => [value, { description: text }]));
  registerEnumType(type, { name, description, valuesConfig });
  return type as { readonly [value in Value]: value }; // the keys of `values` are its values
}
