// Lays the package `ocr-router` out in a folder: the command, the service and the dashboard as they are built, with what they need
// of ours inside and everything else as dependencies. `npm pack` in the folder makes the tarball. With --small the heavy parts
// that can be done without are left out, for the image. (`npm install --omit=optional` would leave out sharp's programs, too.)
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { notices } from './notices.mjs';
import { sbom } from './sbom.mjs';

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
/** Files that are begun with: the commands, what they hand on to, and the threads and processes of the service. */
const ENTRIES = [
  ...['cli/dist/main.js', 'sdk/typescript/dist/client.js', 'demo/dist/seed-demo.js'],
  'embedded-postgres/dist/embedded-postgres.js',
  ...['main.js', 'api.js', 'worker.js', 'admin/main.js', 'bundle/serve.js', 'bundle/commands.js'].map(
    (file) => `server/dist/${file}`,
  ),
];
const CHILDREN = /-(thread|process)\.js$/;
/** What the service does without: it says so where one of them is asked for. */
const OPTIONAL = [
  /^@aws-sdk\//,
  /^@embedded-postgres\//,
  /^@napi-rs\/image$/,
  /^@tesseract\.js-data\//,
  /^swagger-ui-dist$/,
  /^tesseract\.js$/,
];
const UNWANTED =
  /\.(map|tsbuildinfo)$|(?<![\\/]docs[\\/][\w-]*)\.png$|\.d\.ts$|\.test\.(js|yaml)$|[\\/]bundle[\\/]compiled([\\/]|$)/;
/** Of the GraphQL API: `/graphiql` says that it is not there. */
const EXPLORER = /[\\/]http[\\/]api[\\/]explorer([\\/]|$)/;
/** What an operator needs beside the command; the image and Compose are built in the checkout. */
const FOR_OPERATORS = ['README.md', 'systemd', 'prometheus', 'grafana', 'helm'];
const COMPILED_PYTHON = /[\\/]__pycache__([\\/]|$)|\.egg-info([\\/]|$)|[\\/]build([\\/]|$)/;
/** What makes the site of the pages. */
const SITE = /[\\/]docs[\\/](\.vitepress|node_modules|package\.json)/;

const [folder = 'ocr-router-package'] = process.argv.slice(2).filter((argument) => argument !== '--small');
const isSmall = process.argv.includes('--small');
const target = resolve(folder);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const loaded = await loadedPackages();
const command = readJson(join(ROOT, 'cli/package.json'));
const optional = {};
const dependencies = {};
collect(command);
for (const [name, { folder: from, files }] of Object.entries(BUNDLED)) {
  const own = readJson(join(ROOT, from, 'package.json'));
  collect(own);
  const place = join(target, 'node_modules/@ocr-router', name);
  for (const file of files) copy(join(ROOT, from, file), join(place, file), isSmall ? EXPLORER : undefined);
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
copy(join(ROOT, 'docs'), join(target, 'docs'), SITE);
for (const part of FOR_OPERATORS) copy(join(ROOT, 'deploy', part), join(target, 'deploy', part));
for (const page of pagesIn(target)) writeFileSync(page, withoutDeadLinks(page));
addClients(join(target, 'clients'));

const parts = ['cli', ...Object.values(BUNDLED).map(({ folder: from }) => from)];
writeFileSync(join(target, 'THIRD_PARTY_NOTICES'), notices(ROOT, parts));
const isLeftOut = (part) => isSmall && OPTIONAL.some((pattern) => pattern.test(part));
writeJson(join(target, 'sbom.cdx.json'), sbom(ROOT, parts, isLeftOut));

const { name, version, description, license, type, engines, bin } = command;
const bundled = Object.keys(BUNDLED).map((part) => `@ocr-router/${part}`);
writeJson(join(target, 'package.json'), {
  ...{ name, version, description, license, type, engines, bin },
  files: ['dist', 'docs', 'clients', 'deploy', 'CHANGELOG.md', 'THIRD_PARTY_NOTICES', 'sbom.cdx.json'],
  dependencies: { ...sorted(dependencies), ...Object.fromEntries(bundled.map((part) => [part, version])) },
  ...(!isSmall && { optionalDependencies: sorted(optional) }),
  bundleDependencies: bundled,
});
process.stdout.write(`${target}\n`);

/** Of the project's own: those of packages are theirs. */
function pagesIn(folder) {
  const pages = ['.', 'docs', 'deploy'].flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => join(folder, part, name)),
  );
  return pages.filter((page) => page.endsWith('.md'));
}

/** A page whose links to what only a checkout has are the words that they stand behind. */
function withoutDeadLinks(page) {
  return readFileSync(page, 'utf8').replace(
    /(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)/g,
    (link, words, file) => (existsSync(join(dirname(page), file)) ? link : words),
  );
}

/** The packages that callers install: who has the command needs no checkout for them. */
function addClients(place) {
  mkdirSync(place);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], {
    cwd: join(ROOT, 'sdk/typescript'),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32', // there npm is a batch file
  });
  copy(join(ROOT, 'sdk/python'), join(place, 'python'), COMPILED_PYTHON);
}

function collect({ dependencies: needed = {}, optionalDependencies: more = {} }) {
  for (const [dependency, range] of Object.entries({ ...needed, ...more })) {
    if (dependency.startsWith('@ocr-router/')) continue;
    // The service's bundle has the others inside.
    if (!loaded.has(dependency) && !(dependency in more)) continue;
    const isOptional = dependency in more || OPTIONAL.some((pattern) => pattern.test(dependency));
    (isOptional ? optional : dependencies)[dependency] = range;
  }
}

/** The packages that the built files load; those that are asked for by other means are among the optional ones. */
async function loadedPackages() {
  const found = new Set();
  const server = join(ROOT, 'server/dist');
  const children = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((file) => CHILDREN.test(file));
  const input = [...ENTRIES.map((file) => join(ROOT, file)), ...children.map((file) => join(server, file))];
  const external = (id) => {
    if (/^[./]|^#|^node:|^[A-Z]:|^\0/.test(id)) return id.startsWith('#') || id.startsWith('node:');
    found.add(/^(@[^/]+\/[^/]+|[^/]+)/.exec(id)?.[0]);
    return true;
  };
  const files = await rolldown({ input, external, platform: 'node', logLevel: 'silent', treeshake: false });
  await files.generate({ format: 'esm' });
  await files.close();
  const asked = Object.keys(readJson(join(ROOT, 'server/package.json')).dependencies).filter((name) =>
    OPTIONAL.some((pattern) => pattern.test(name)),
  );
  return new Set([...found, ...asked]);
}

function copy(from, to, without = /^$/) {
  if (!existsSync(from)) throw new Error(`${from} is not there: build first (npm run build)`);
  const filter = (path) => !UNWANTED.test(path) && !without.test(path);
  cpSync(from, to, { recursive: true, filter });
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
