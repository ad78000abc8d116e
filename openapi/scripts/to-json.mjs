// Writes the contracts as JSON to dist/: parsing their YAML takes a server's start ten times as long.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

mkdirSync('dist', { recursive: true });
for (const name of ['openapi', 'dashboard']) {
  writeFileSync(`dist/${name}.json`, JSON.stringify(parse(readFileSync(`${name}.yaml`, 'utf8'))));
}
