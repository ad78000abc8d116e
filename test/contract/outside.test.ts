import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** What only the workspace itself may import. What needs more than one room of the server stands in `server/test`. */
const INSIDE = /^(server|openapi|demo|embedded-postgres|ui|desktop|dashboard)\/(src|dist)\//;
/** The providers' ends of the wires: tests' own, beside their adapters, and never built. */
const WIRES = /^server\/src\/engines\/adapters\/(wires\/|[\w-]+\/wire\.ts)/;

/** Files that may, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'test/house/admin-desk.ts': 'the operator’s commands, carried out once for a whole run: an account costs no process',
  'test/house/cluster.ts':
    'the PostgreSQL of the tests is the one that the product brings; one template for all databases',
  'test/house/console.ts': 'the console without its window, which needs no Electron',
  'test/house/free-ports.ts': 'the same care about ports',
  'test/house/product-host.ts': 'many products in one process: what a start loads and compiles is paid once',
  'test/house/request-table.ts': 'ids of a time, for a table of requests',
  'test/desktop/main.test.ts': 'Electron’s own side, around which a stub stands',
  'test/endings/run.ts': 'a command of its own, without the desk of a test run',
  'test/neighbours/site.ts': 'as the desk does: none of seven commands costs a process',
  'test/durability/kill-point.ts': 'each step at which a process can be made to die is tried',
  'test/durability/site.ts': 'what the embedded database calls itself, and where it keeps its lock',
  'test/durability/outside-database.ts': 'starts, kills and freezes the product’s PostgreSQL by itself',
  'test/accuracy/summary.test.ts': 'what a benchmark writes is what engines are read from',
};

it('tests from outside import nothing from inside', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => `test/${file}`);
  expect(files.length).toBeGreaterThan(200);
  const found = files.filter((file) =>
    valuesImportedBy(file).some((target) => INSIDE.test(target) && !WIRES.test(target)),
  );
  expect(found.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

/** Types are erased, and none of the code comes with them. */
function valuesImportedBy(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+([^;']*?)from\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)(?!\))/gm);
  return [...statements]
    .filter(([whole, names = '']) => !/^(import|export)\s+type\b/.test(whole) && !isTypesOnly(names))
    .map(([, , from, late]) => relative(ROOT, resolve(ROOT, dirname(file), from ?? late ?? '')));
}

function isTypesOnly(names: string): boolean {
  const each = names
    .trim()
    .replace(/^\{|\}$/g, '')
    .split(',');
  return names.includes('{') && each.every((name) => name.trim() === '' || name.trim().startsWith('type '));
}
