// Compiles the contracts with openapi-backend, and writes their operations and rules down as a module, because compiling them
// takes a start as long as a sixth of all else.
import { writeFileSync } from 'node:fs';
import { compileContract } from '../dist/rest/contract/compile-contract.js';
import { readContract } from '../dist/rest/contract/contract.js';

const OUTPUT = new URL('../dist/rest/contract/built-contracts.cjs', import.meta.url);
/** What is said about a schema, which no rule reads. */
const SAID = new Set(['description', 'summary', 'example', 'examples']);

const contracts = await Promise.all(
  ['openapi', 'dashboard'].map(async (name) => `exports.${name} = ${await built(name)};`),
);
writeFileSync(OUTPUT, `'use strict';\n${contracts.join('\n')}\n`);

async function built(name) {
  const contract = await compileContract(withoutWords(readContract(name)));
  const rules = Object.entries(contract.rules).map(([id, each]) => `${id}: [${each.map(inOwnScope).join(', ')}]`);
  const operations = JSON.stringify(contract.operations.map(servedPartOf)).replace(/[\\']/g, '\\$&');
  return `{ operations: JSON.parse('${operations}'), rules: {\n${rules.join(',\n')}\n} }`;

  function inOwnScope(rule) {
    return `((module) => { ${contract.sourceOf(rule)}; return module.exports; })({})`;
  }
}

/** What the service reads of an operation: of its answers, those that are made by their schema. */
function servedPartOf({ operationId, method, path, security, 'x-scope': scope, requestBody, responses }) {
  const made = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return { operationId, method, path, security, 'x-scope': scope, requestBody, responses: Object.fromEntries(made) };
}

/** The contract without what is said about it. A property may be called as such a word is: its value is a schema, not a text. */
function withoutWords(value) {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !SAID.has(key) || typeof inner === 'object');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWords(inner)]));
}
