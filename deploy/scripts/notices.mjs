// THIRD_PARTY_NOTICES: the licences of the packages that the service, the command and the dashboard are made of. Their code stands
// in the service's bundle and in the dashboard's files, where it brings no licence of its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice)/i;
/** Of which everything is built into its files: what it is made of are its development dependencies, but for the tools. */
const APPLICATION = '@ocr-router/dashboard';
const TOOLS = /^(@types\/|@vitejs\/|vite$)/;
export const OURS = /^(@ocr-router\/|ocr-router$)/;

/** Of these workspaces, and of all that they need. */
export function notices(root, workspaces) {
  const found = new Map();
  for (const workspace of workspaces) visit(join(root, workspace), found);
  const byText = new Map();
  const others = [...found.values()].filter(({ name }) => !OURS.test(name)).map(described);
  for (const { label, text } of others.sort((a, b) => (a.label < b.label ? -1 : 1))) {
    byText.set(text, (byText.get(text) ?? new Set()).add(label));
  }
  const parts = [...byText].map(([text, labels]) => `${[...labels].join('\n')}\n\n${text}\n`);
  return `Software of others in this package, with its licences.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function visit(folder, found) {
  if (found.has(folder)) return;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  found.set(folder, { ...manifest, folder });
  for (const name of partsOf(manifest)) {
    const place = placeOf(name, folder);
    if (place !== null) visit(place, found); // an optional one may not be installed
  }
}

/** The names of what a workspace or a package is made of. */
export function partsOf({ name, dependencies, optionalDependencies, devDependencies }) {
  if (name === APPLICATION) return Object.keys(devDependencies).filter((part) => !TOOLS.test(part));
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

function described({ folder, name, version, license }) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && LICENCE.test(file.name));
  const texts = files.map((file) => readFileSync(join(folder, file.name), 'utf8').trim()).sort();
  const id = typeof license === 'string' ? license : (license?.type ?? 'no licence named');
  const text = texts.join('\n\n') || `(The package has no file with its licence, ${id}.)`;
  return { label: `${name} ${version} (${id})`, text };
}

/** Where Node would find it. */
function placeOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (folder === dirname(folder)) return null;
  }
}
