import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of Vite's manifest: a file of the build, and the entries and styles that it needs. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** The manifest's key of the one HTML page. What it names stands in that page already. */
const ENTRY = 'index.html';

/**
 * Gives links to the files that the page at a path needs: the browser fetches them beside the application, which would ask for
 * them only once it runs. Empty for pages that are part of the application, and in a build without a manifest.
 */
export function openPageFiles(built: string): (path: string) => string {
  const file = join(built, 'manifest.json');
  const manifest: Manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const known = new Set(chunksBehind(manifest, ENTRY));
  const links = new Map(
    Object.keys(manifest).map((key) => [
      key,
      linksTo(chunksBehind(manifest, key).filter((chunk) => !known.has(chunk))),
    ]),
  );
  return (path) => links.get(sourceOf(path)) ?? '';
}

/**
 * The source file of the page at a path, by the names that the dashboard gives them: for `/keys`, and for one of several,
 * `/requests/ocr_…`.
 */
function sourceOf(path: string): string {
  const [, name = '', one] = path.split('/');
  return `src/${name}/${one ? name.replace(/s$/, '') : name}-page.tsx`;
}

/** A chunk and all that it imports, each once. */
function chunksBehind(manifest: Manifest, key: string, found = new Set<Chunk>()): Chunk[] {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk)) return [];
  found.add(chunk);
  for (const imported of chunk.imports ?? []) chunksBehind(manifest, imported, found);
  return [...found];
}

function linksTo(chunks: readonly Chunk[]): string {
  const scripts = chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const styles = chunks
    .flatMap(({ css }) => css ?? [])
    .map((file) => `<link rel="preload" as="style" crossorigin href="/${file}">`);
  return [...scripts, ...styles].join('');
}
