// Puts the modules that a start loads, ours and the libraries', into a few files: a process starts in half the time that
// it takes to find, open and compile 2,500 of them. `dist/` stays beside it as tsc wrote it, for threads and child
// processes, which load few modules, and for tests.
import { rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

const DIST = join(import.meta.dirname, '../dist');
const OUT = join(DIST, 'bundle');

// Programs and data beside their code, which they find by its place; and what is loaded only when it is needed.
const SEPARATE = [
  /^@ocr-router\/(?!embedded-postgres)/,
  /^@aws-sdk\//,
  /^@hyzyla\/pdfium/,
  /^@napi-rs\//,
  /^bee-queue/,
  /^class-validator/, // of type-graphql, which asks for it only where arguments are validated by it
  /^pino/,
  /^piscina/,
  /^sharp/,
  /^swagger-ui-dist/,
  /^tesseract\.js/,
  /^pg-native/,
];

// Where a module of ours asks for its own place, it gets the one that it has in dist/.
const ownPlace = {
  name: 'own-place',
  transform(code, id) {
    if (id.includes(`${sep}node_modules${sep}`) || !code.includes('import.meta')) return null;
    const place = JSON.stringify(relative(OUT, id).split(sep).join('/'));
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
  },
};

// One letter beyond Latin-1 makes V8 keep a whole file with two bytes for each letter.
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
    }
  },
};

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

rmSync(OUT, { recursive: true, force: true });
const bundle = await rolldown({
  input: { serve: join(DIST, 'serve.js'), commands: join(DIST, 'admin/commands/commands.js') },
  platform: 'node',
  external: SEPARATE,
  plugins: [ownPlace, asciiOnly],
  logLevel: 'warn',
});
await bundle.write({
  dir: OUT,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  keepNames: true, // GraphQL's types and the tables are called what their classes are
});
