import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** The files below a folder of the repository, from there, without tests and what is generated. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.(test|generated)\.tsx?$/.test(file) && !file.endsWith('.d.ts'),
  );
}

export function read(folder: string, file: string): string {
  return readFileSync(join(ROOT, folder, file), 'utf8');
}

/** What a file imports of the same folder. */
export function importsOf(folder: string, file: string): string[] {
  const base = join(ROOT, folder);
  return [...read(folder, file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, path]) => relative(base, resolve(base, dirname(file), path ?? '')))
    .filter((target) => !target.startsWith('..'));
}

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Who imports whom, file by file, or room by room where `roomOf` says in which room a file is. */
export function graphOf(folder: string, roomOf: (file: string) => string = (file) => file): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of sourcesOf(folder)) {
    const from = roomOf(file);
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const target of importsOf(folder, file)) if (roomOf(target) !== from) targets.add(roomOf(target));
  }
  return graph;
}

/** Groups of two or more that all reach each other. */
export function cyclesIn(graph: Graph): string[][] {
  const reach = new Map([...graph.keys()].map((node) => [node, reachable(graph, node)]));
  const groups = [...graph.keys()].map((node) =>
    [...(reach.get(node) ?? [])].filter((other) => reach.get(other)?.has(node)).sort(),
  );
  return [...new Map(groups.filter((group) => group.length > 1).map((group) => [group.join(' '), group])).values()];
}

function reachable(graph: Graph, start: string): Set<string> {
  const seen = new Set<string>();
  const next = [...(graph.get(start) ?? [])];
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    next.push(...(graph.get(node) ?? []));
  }
  return seen;
}
