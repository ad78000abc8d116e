import { type ContractName, readContract, resolvedContract } from './resolved-contract.ts';

type ClosedSets = Readonly<Record<string, readonly unknown[]>>;

/** A schema as it is written, references and all. */
interface WrittenSchema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, WrittenSchema>>;
  readonly items?: WrittenSchema;
  readonly oneOf?: readonly WrittenSchema[];
}

/** Every closed set of a contract's schemas and parameters, by the name of what has it. */
export function closedSetsOf(name: ContractName): ClosedSets {
  const { components } = readContract(name) as { components: { schemas: Record<string, WrittenSchema> } };
  const operations = Object.values(resolvedContract(name).paths).flatMap((path) => Object.values(path));
  const sets: Record<string, readonly unknown[]> = {};
  for (const [schema, written] of Object.entries(components.schemas)) collect(written, schema);
  for (const { operationId, parameters = [] } of operations) {
    for (const { name: parameter, schema } of parameters) collect(schema, `${operationId} ${parameter}`);
  }
  return sets;

  function collect(schema: WrittenSchema, at: string): void {
    if (schema.$ref) {
      const target = components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
      // What has properties is looked through under its own name.
      if (!target.properties) collect(target, at);
      return;
    }
    if (schema.enum) sets[at] = schema.enum;
    for (const part of [schema.items ?? [], schema.oneOf ?? []].flat()) collect(part, at);
    for (const [property, part] of Object.entries(schema.properties ?? {})) collect(part, `${at}.${property}`);
  }
}
