import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const NODE_LIBRARIES = ['libstdc++6', 'libatomic1'];
/** The npm that runs this. */
const NPM = dirname(dirname(realpathSync(process.env['npm_execpath'] ?? '/usr/bin/npm')));
/** What slim images of Debian are without, also of packages that are installed later. */
const LEFT_OUT = ['doc', 'groff', 'info', 'linda', 'lintian', 'locale', 'man'].map((name) => `usr/share/${name}`);
const INSTALL_MS = 600_000;

/** A package source of this machine: where it is, which suite of it, and what of that. */
interface AptSource {
  readonly uri: string;
  readonly suite: string;
  readonly component: string;
}

/**
 * In place of the image that the Dockerfile begins with, which comes from a registry: Debian from this machine's own package
 * source, with the Node that runs this and the machine's npm. It trusts what the machine trusts.
 */
export async function makeBase(root: string): Promise<void> {
  const sources = await aptSources();
  const [main] = sources;
  if (!main) throw new Error('this machine has no package source of Debian');
  const packages = ['ca-certificates', ...NODE_LIBRARIES].join(',');
  const wish = ['--variant=minbase', `--include=${packages}`, `--keyring=${KEYRING}`, main.suite, root, main.uri];
  await run('debootstrap', wish, { timeout: INSTALL_MS, maxBuffer: 1e8 });
  await makeSlim(root);
  await copyAptSettings(root, sources);
  await copyNode(root);
}

/** The main one first: that of the suite itself, without its updates. */
async function aptSources(): Promise<AptSource[]> {
  const wish = ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'];
  const { stdout } = await run('apt-get', wish);
  const lines = [...new Set(stdout.trim().split('\n'))].map((line) => line.split(' '));
  const sources = lines.map(([uri = '', suite = '', component = '']) => ({ uri, suite, component }));
  return sources.toSorted((a, b) => a.suite.length - b.suite.length);
}

async function makeSlim(root: string): Promise<void> {
  const lines = LEFT_OUT.map((folder) => `path-exclude /${folder}/*`);
  await writeFile(join(root, 'etc/dpkg/dpkg.cfg.d/slim'), `${lines.join('\n')}\n`);
  const cached = ['var/cache/apt/archives', 'var/lib/apt/lists'];
  for (const folder of [...LEFT_OUT, ...cached]) {
    await rm(join(root, folder), { recursive: true, force: true });
    await mkdir(join(root, folder), { recursive: true });
  }
}

async function copyAptSettings(root: string, sources: readonly AptSource[]): Promise<void> {
  const lines = sources.map(({ uri, suite, component }) => `deb [signed-by=${KEYRING}] ${uri} ${suite} ${component}`);
  await writeFile(join(root, 'etc/apt/sources.list'), `${lines.join('\n')}\n`);
  const { stdout } = await run('apt-config', ['dump', 'Acquire']);
  const simple = stdout.split('\n').filter((line) => /^Acquire::[\w-]+(::[\w-]+)* "/.test(line));
  await writeFile(join(root, 'etc/apt/apt.conf.d/90machine'), `${simple.join('\n')}\n`);
}

async function copyNode(root: string): Promise<void> {
  await cp(CERTIFICATES, join(root, CERTIFICATES), { dereference: true });
  await cp(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
  await cp(NPM, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
  }
  const registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  // The user's: an installation with --prefix looks for another global one.
  await writeFile(join(root, 'root/.npmrc'), `registry=${registry}\ncafile=${CERTIFICATES}\n`);
}
