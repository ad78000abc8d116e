// Lays the package `ocr-router` out in a folder: the command, the service and the dashboard as they are built, with what they need
// of ours inside and everything else as dependencies. `npm pack` in the folder makes the tarball. With --small the heavy parts
// that can be done without are left out, for the image. (`npm install --omit=optional` would leave out sharp's programs, too.)
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Workspaces of ours that the command needs, and what of them is loaded. */
const BUNDLED = {
  client: { folder: 'sdk/typescript', files: ['dist'] },
  server: { folder: 'server', files: ['dist'] },
  openapi: { folder: 'openapi', files: ['dist'] },
  'embedded-postgres': { folder: 'embedded-postgres', files: ['dist'] },
  demo: { folder: 'demo', files: ['dist'] },
  dashboard: { folder: 'dashboard', files: ['dist'] }, // beside the service, where it looks for it
};
/** What the service does without: it says so where one of them is asked for. */
const OPTIONAL = [
  /^@aws-sdk\//,
  /^@embedded-postgres\//,
  /^@graphql-yoga\/render-graphiql$/,
  /^@napi-rs\/image$/,
  /^@tesseract\.js-data\//,
  /^swagger-ui-dist$/,
  /^tesseract\.js$/,
];
const UNWANTED = /\.(map|png|tsbuildinfo)$|\.d\.ts$|\.test\.js$|[\\/]bundle[\\/]compiled([\\/]|$)/;

const [folder = 'ocr-router-package'] = process.argv.slice(2).filter((argument) => argument !== '--small');
const isSmall = process.argv.includes('--small');
const target = resolve(folder);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const command = readJson(join(ROOT, 'cli/package.json'));
const optional = {};
const dependencies = {};
collect(command);
for (const [name, { folder: from, files }] of Object.entries(BUNDLED)) {
  const own = readJson(join(ROOT, from, 'package.json'));
  collect(own);
  const place = join(target, 'node_modules/@ocr-router', name);
  for (const file of files) copy(join(ROOT, from, file), join(place, file));
  const { version, type, exports, imports } = own;
  writeJson(join(place, 'package.json'), {
    name: own.name,
    version,
    type,
    ...(exports && { exports }),
    ...(imports && { imports }),
  });
}
copy(join(ROOT, 'cli/dist'), join(target, 'dist'));
for (const file of ['README.md', 'CHANGELOG.md']) copy(join(ROOT, file), join(target, file));
copy(join(ROOT, 'docs'), join(target, 'docs'));

const { name, version, description, license, type, engines, bin } = command;
const bundled = Object.keys(BUNDLED).map((part) => `@ocr-router/${part}`);
writeJson(join(target, 'package.json'), {
  ...{ name, version, description, license, type, engines, bin },
  files: ['dist', 'docs', 'CHANGELOG.md'],
  dependencies: { ...sorted(dependencies), ...Object.fromEntries(bundled.map((part) => [part, version])) },
  ...(!isSmall && { optionalDependencies: sorted(optional) }),
  bundleDependencies: bundled,
});
process.stdout.write(`${target}\n`);

function collect({ dependencies: needed = {}, optionalDependencies: more = {} }) {
  for (const [dependency, range] of Object.entries({ ...needed, ...more })) {
    if (dependency.startsWith('@ocr-router/')) continue;
    const isOptional = dependency in more || OPTIONAL.some((pattern) => pattern.test(dependency));
    (isOptional ? optional : dependencies)[dependency] = range;
  }
}

function copy(from, to) {
  if (!existsSync(from)) throw new Error(`${from} is not there: build first (npm run build)`);
  cpSync(from, to, { recursive: true, filter: (path) => !UNWANTED.test(path) });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function sorted(values) {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
