import { createHash } from 'node:crypto';
import { type DocumentNode, execute, type GraphQLSchema, getOperationAST, validate } from 'graphql';
import { SingleFlight } from '../platform/concurrency/single-flight.ts';
import { rootFields } from './call/root-fields.ts';
import { mayAskOfSchema } from './limits.ts';
import type { SchemaTurns } from './schema-turns.ts';

/** Most bytes of answers that are kept. A whole schema is 0.3 MB, and tools ask with few documents. */
const MOST_BYTES = 8 * 1024 * 1024;
const ROOTS = new Set(['__schema', '__type']);

/** A document that asks of the schema, in a call without values of variables. */
export interface SchemaQuestion {
  readonly text: string;
  readonly operationName: string | null;
}

/** A parsed document that is within the limits of size. */
export interface ReadQuestion {
  /** The question that an answer is kept for; null where there is none (`schemaQuestion`). */
  readonly question: SchemaQuestion | null;
  readonly document: DocumentNode;
  /** The tenths of the schema that the document asks for (`schemaTenths`). */
  readonly tenths: number;
}

export interface SchemaAnswer {
  /** The whole answer, as JSON. */
  readonly json: Buffer;
  /** The tenths of the schema that the answer has (`schemaTenths`). */
  readonly tenths: number;
}

/** The question of an operation; null where variables have values, or where the document does not ask of the schema. */
export function schemaQuestion(text: string, operationName: unknown, variables: unknown): SchemaQuestion | null {
  if (!mayAskOfSchema(text) || JSON.stringify(variables ?? {}) !== '{}') return null;
  const name = operationName ?? null;
  return name === null || typeof name === 'string' ? { text, operationName: name } : null;
}

/**
 * Keeps the answers to documents that ask one thing of the schema, and nothing else. They are the same for every caller for as
 * long as the process runs, so they are executed and written once. Beyond `MOST_BYTES` the oldest are dropped.
 */
export class SchemaAnswers {
  readonly #schema: GraphQLSchema;
  readonly #turns: SchemaTurns;
  readonly #answers = new Map<string, SchemaAnswer>();
  readonly #making = new SingleFlight<SchemaAnswer | null>();
  #bytes = 0;

  constructor(schema: GraphQLSchema, turns: SchemaTurns) {
    this.#schema = schema;
    this.#turns = turns;
  }

  /** The kept answer to a question; null where there is none. A known question is neither parsed, measured nor executed again. */
  known(question: SchemaQuestion): SchemaAnswer | null {
    const key = keyOf(question);
    const answer = this.#answers.get(key);
    if (!answer) return null;
    this.#answers.delete(key);
    this.#answers.set(key, answer); // now the youngest
    return answer;
  }

  /**
   * Executes a document in the turn of `party` and keeps the answer. Null for a document that asks for more than one thing of the
   * schema, or has errors: the caller has to execute that one. Throws 429 where the turn does not come in time.
   */
  async answer({ question, document, tenths }: ReadQuestion, party: string): Promise<SchemaAnswer | null> {
    if (!question || !asksOneThing(document, question)) return this.#turns.run(party, tenths, () => null);
    const key = keyOf(question);
    return this.#making.run(`${party} ${key}`, async () => {
      // Another party may have been answered while this one waited.
      const known = this.known(question);
      if (known) return known;
      const json = await this.#turns.run(party, tenths, () => this.#executed(document, question));
      return json && this.#kept(key, { json, tenths });
    });
  }

  #executed(document: DocumentNode, { operationName }: SchemaQuestion): Buffer | null {
    if (validate(this.#schema, document).length > 0) return null;
    const result = execute({ schema: this.#schema, document, operationName });
    if (result instanceof Promise || result.errors) return null;
    return Buffer.from(`${JSON.stringify(result)}\n`);
  }

  #kept(key: string, answer: SchemaAnswer): SchemaAnswer {
    this.#answers.set(key, answer);
    this.#bytes += answer.json.length;
    for (const [oldest, { json }] of this.#answers) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#answers.delete(oldest);
      this.#bytes -= json.length;
    }
    return answer;
  }
}

function asksOneThing(document: DocumentNode, { operationName }: SchemaQuestion): boolean {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query') return false;
  const fields = rootFields(operation, document);
  return fields.length === 1 && ROOTS.has(fields[0]?.name.value ?? '');
}

/** The key of a question: a hash, so that texts of callers are not kept. */
function keyOf({ text, operationName }: SchemaQuestion): string {
  return createHash('sha256')
    .update(JSON.stringify([operationName, text]))
    .digest('base64');
}
