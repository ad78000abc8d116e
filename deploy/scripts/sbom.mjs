// The software bill of materials (CycloneDX): what `npm sbom` says of the workspaces, without their tools. Its own `--omit dev` leaves
// out each package that any workspace has as a tool, also where another one runs with it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OURS, partsOf } from './notices.mjs';

const LONGEST = 64 * 1024 * 1024;

/** Of the command, these workspaces and all that they need, for every system; but not of what is left out. */
export function sbom(root, workspaces, isLeftOut) {
  const { components, dependencies, ...document } = listed(root, workspaces);
  const main = manifestOf(root, 'ocr-router');
  const mainRef = `ocr-router@${main.version}`;
  const needs = (ref) => {
    const all = dependencies.filter((each) => each.ref === ref).flatMap(({ dependsOn }) => dependsOn);
    const parts = OURS.test(nameOf(ref)) ? partsOf(manifestOf(root, nameOf(ref))) : null;
    return all.filter((each) => (parts?.includes(nameOf(each)) ?? true) && !isLeftOut(nameOf(each)));
  };
  const bundled = components.map((each) => each['bom-ref']).filter((ref) => OURS.test(nameOf(ref)));
  const found = new Map();
  for (const waiting = bundled; waiting.length > 0; ) {
    const ref = waiting.pop();
    if (found.has(ref)) continue;
    found.set(ref, [...new Set(needs(ref))]);
    waiting.push(...found.get(ref));
  }
  const component = { 'bom-ref': mainRef, type: 'application', name: main.name, version: main.version };
  return {
    ...document,
    metadata: { ...document.metadata, component: { ...component, purl: `pkg:npm/${mainRef}` } },
    components: components
      .filter((each) => found.has(each['bom-ref']) && each['bom-ref'] !== mainRef)
      .map((each) => ({ ...each, name: nameOf(each['bom-ref']) })), // npm calls a workspace as its folder is called
    dependencies: [...found].map(([ref, dependsOn]) => ({ ref, dependsOn })),
  };
}

function listed(root, workspaces) {
  const wish = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const printed = execFileSync('npm', [...wish, ...workspaces.flatMap((each) => ['--workspace', each])], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: LONGEST,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32', // there npm is a batch file
  });
  return JSON.parse(printed);
}

/** A workspace is linked to its name. */
function manifestOf(root, name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
}

function nameOf(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}
