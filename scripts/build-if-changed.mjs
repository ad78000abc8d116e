import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SCOPE = '@ocr-router/';
const OUTPUT = 'dist';
const NO_SOURCES = new Set(['node_modules', OUTPUT, '.turbo']);
const OF_ALL = ['package.json', 'package-lock.json', 'tsconfig.json', 'turbo.json'];
const CACHE = join(ROOT, 'node_modules/.cache/ocr-router');

/**
 * Builds packages and what they need, unless nothing of them has changed since the last time: looking takes a tenth of a
 * second of processor time, where asking turbo takes six times that, and a start waits for it. Ends the process where the
 * build fails. `quiet`: standard output belongs to what follows; a failure is told on standard error.
 */
export function buildIfChanged(names, { quiet }) {
  const folders = foldersOf(names);
  const sources = digestOf(sourceFiles(folders));
  const stamp = () => stampOf(sources, folders);
  const stampFile = join(CACHE, `built-${names.join('-')}`);
  if (lastStamp(stampFile) === stamp()) return;
  build(names, { quiet });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(stampFile, stamp());
}

/** The folders of the packages and of all that they depend on in this repository. */
function foldersOf(names) {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packages = new Map(
    workspaces.map((folder) => {
      const described = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      return [described.name, { folder, needs: { ...described.dependencies, ...described.devDependencies } }];
    }),
  );
  const found = new Set(names.map((name) => SCOPE + name));
  for (const name of found)
    for (const need of Object.keys(packages.get(name)?.needs ?? {})) if (packages.has(need)) found.add(need);
  return [...found].map((name) => packages.get(name)?.folder ?? unknown(name));
}

function unknown(name) {
  console.error(`There is no package ${name}.`);
  process.exit(1);
}

function sourceFiles(below) {
  const files = [...OF_ALL];
  const enter = (folder) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      if (NO_SOURCES.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) enter(path);
      else files.push(path);
    }
  };
  for (const folder of below) enter(folder);
  return files;
}

/** Of names, sizes and times of change, as `make` has it. */
function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const { size, mtimeMs } = statSync(join(ROOT, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** What the outputs look like now, beside the sources that they were made of. */
function stampOf(sources, folders) {
  const outputs = folders.map((folder) => {
    const output = join(ROOT, folder, OUTPUT);
    const found = statSync(output, { throwIfNoEntry: false });
    return found ? [folder, found.mtimeMs, readdirSync(output)] : [folder];
  });
  return JSON.stringify({ sources, outputs });
}

function lastStamp(stampFile) {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return null;
  }
}

function build(names, { quiet }) {
  const filters = names.map((name) => `--filter=${SCOPE}${name}`).join(' ');
  const command = `turbo run build ${filters} --output-logs=errors-only --log-order=grouped`;
  // By the shell: npm has put turbo on the PATH, by whatever name the platform calls it.
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const { status, stdout, stderr } = spawnSync(command, { shell: true, stdio, encoding: 'utf8', cwd: ROOT });
  if (status === 0) return;
  if (quiet) process.stderr.write(stdout + stderr);
  process.exit(status ?? 1);
}
