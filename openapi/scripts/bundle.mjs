// Puts the parts of each contract together and writes it to dist/ as JSON: that is what is served, what types are made
// of and what tests look at (parsing YAML would take a server's start ten times as long).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const CONTRACTS = { openapi: 'public', dashboard: 'dashboard' };

/**
 * A folder's `index.yaml`, with `paths/*.yaml`, `schemas/*.yaml`, `responses.yaml` and the examples in their places. The
 * parts refer to each other as in one document: `#/components/schemas/…`.
 */
function bundle(folder) {
  const { components, ...document } = read(join(folder, 'index.yaml'));
  const tags = document.tags.map(({ name }) => name);
  return {
    ...document,
    paths: merge(join(folder, 'paths'), tags),
    components: {
      ...components,
      responses: read(join(folder, 'responses.yaml')),
      schemas: merge(join(folder, 'schemas'), tags),
      examples: examplesOf(join(folder, 'examples')),
    },
  };
}

/** What the files of a folder have together, in the order of the tags; a name in two of them is a mistake. */
function merge(folder, tags) {
  const merged = {};
  const place = (name) => tags.indexOf(name.replace('.yaml', ''));
  for (const name of readdirSync(folder).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))) {
    for (const [key, value] of Object.entries(read(join(folder, name)))) {
      if (key in merged) throw new Error(`${join(folder, name)}: ${key} is in another file, too`);
      merged[key] = value;
    }
  }
  return merged;
}

/** `index.yaml` names the examples; the value of each is a JSON file that a client can send or compare. */
function examplesOf(folder) {
  const named = read(join(folder, 'index.yaml'));
  return Object.fromEntries(
    Object.entries(named).map(([name, example]) => [
      name,
      { ...example, value: JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) },
    ]),
  );
}

function read(file) {
  return parse(readFileSync(file, 'utf8'));
}

mkdirSync('dist', { recursive: true });
for (const [name, folder] of Object.entries(CONTRACTS)) {
  writeFileSync(join('dist', `${name}.json`), JSON.stringify(bundle(folder)));
}
