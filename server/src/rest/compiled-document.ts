import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';

type Query = (source: undefined, context: object, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;
type Variables = Readonly<Record<string, unknown>>;

/**
 * A document of our own as a function of its variables: executing it one field after the other by the document takes a
 * seventh of what a request costs. Resolvers, types and the checks around both are the schema's.
 */
export class CompiledDocument {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;
  #query: Query | null = null;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#document = document;
  }

  /** What a resolver throws, and a variable that the schema refuses, is in `errors`, as graphql's own `execute` has it. */
  async run(context: object, variables: Variables): Promise<ExecutionResult> {
    this.#query ??= await this.#compile();
    return this.#query(undefined, context, variables);
  }

  /** Loads what compiles, and compiles: before a first call has to wait for it. */
  async prepare(): Promise<void> {
    this.#query ??= await this.#compile();
  }

  async #compile(): Promise<Query> {
    const { compileQuery, isCompiledQuery } = await import('graphql-jit');
    const compiled = compileQuery(this.#schema, this.#document, undefined, { disablingCapturingStackErrors: true });
    if (isCompiledQuery(compiled)) return compiled.query;
    throw new Error('a document of ours does not fit the schema', { cause: compiled.errors });
  }
}
