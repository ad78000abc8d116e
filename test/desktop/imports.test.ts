import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const HOME = resolve(import.meta.dirname, '../..');
/** Rooms that any room beside them may stand on: a file at the top of these folders is a room of its own. */
const TOPS = ['', 'core', 'renderer'];

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Who imports whom within a package, by file. */
function importsOf(source: string): Graph {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)];
      const paths = found.map(([, path = '']) => relative(source, resolve(source, dirname(file), path)));
      return [file, new Set(paths.filter((path) => existsSync(join(source, path)) && !path.startsWith('..')))];
    }),
  );
}

function roomOf(file: string): string {
  const folder = dirname(file) === '.' ? '' : dirname(file);
  return TOPS.includes(folder) ? file : folder;
}

function byRoom(files: Graph): Graph {
  const rooms = new Map<string, Set<string>>();
  for (const [file, imported] of files) {
    const room = rooms.get(roomOf(file)) ?? new Set();
    rooms.set(roomOf(file), room);
    for (const each of imported) if (roomOf(each) !== roomOf(file)) room.add(roomOf(each));
  }
  return rooms;
}

/** What is left when, over and over, that is taken away which imports nothing that is left: the circles. */
function circles(graph: Graph): string[] {
  const left = new Set(graph.keys());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const node of left) if (![...(graph.get(node) ?? [])].some((each) => left.has(each))) left.delete(node);
  }
  return [...left].sort();
}

it.each(['desktop/src', 'dashboard/src', 'ui/src'])('%s has no import in a circle, by file and by room', (path) => {
  const files = importsOf(join(HOME, path));
  expect([...files.values()].some((imported) => imported.size > 0)).toBe(true);
  expect(circles(files)).toEqual([]);
  expect(circles(byRoom(files))).toEqual([]);
});
