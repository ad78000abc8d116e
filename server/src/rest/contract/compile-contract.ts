import type { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { OpenAPIBackend } from 'openapi-backend';
import type { Contract, Operation, Rule } from './contract.ts';

/**
 * Compiles a contract with openapi-backend: its operations with references resolved, its rules and its defaults. Types in
 * queries are coerced, those in bodies are not. The build writes down what this gives, so that a start need not do it.
 * `check` also checks the contract by the OpenAPI schema.
 */
export async function compileContract(
  definition: Record<string, unknown>,
  options: { check?: boolean } = {},
): Promise<Contract & { sourceOf(rule: Rule): string }> {
  const compilers: Ajv[] = [];
  const api = new OpenAPIBackend({
    // The document is checked against the OpenAPI schema, so its own type need not be proved.
    definition: structuredClone(definition) as never,
    strict: true,
    quick: options.check !== true,
    validate: true,
    coerceTypes: true,
    ajvOpts: {
      useDefaults: true,
      strict: false,
      allErrors: false,
      coerceTypes: false,
      validateFormats: false,
      // Compiling the schema of schemas takes longer than compiling the contract's own.
      validateSchema: options.check === true,
      code: { source: true },
    },
    customizeAjv: (ajv) => {
      compilers.push(ajv);
      return ajv;
    },
  });
  await api.init();
  const operations = api.getOperations() as unknown as Operation[];
  const compilerOf = new Map<Rule, Ajv>();
  const rules = operations.map(({ operationId }) => {
    compilers.length = 0; // it takes a new one for each rule
    const compiled = (api.validator.getRequestValidatorsForOperation(operationId) ?? []) as Rule[];
    for (const [i, rule] of compiled.entries()) compilerOf.set(rule, compilers[i] as Ajv);
    return [operationId, compiled] as const;
  });
  return {
    operations,
    rules: Object.fromEntries(rules),
    sourceOf(rule) {
      const compiler = compilerOf.get(rule);
      if (!compiler) throw new Error('this rule is not of this contract');
      return standaloneCode.default(compiler, rule as never);
    },
  };
}
