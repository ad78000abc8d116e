import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT_CHARACTERS = 200_000;
const COMMAND = '/opt/ocr-router/bin/ocr-router';
const USER = '10001';
/** What `bwrap` has of what the units ask for; system calls and address families `systemd-analyze` judges. */
const SHUT_IN = {
  'ProtectSystem=strict': ['--ro-bind', '/', '/', '--proc', '/proc'],
  'PrivateDevices=yes': ['--dev', '/dev'],
  'PrivateTmp=yes': ['--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
  'ProtectHome=yes': ['--tmpfs', '/root', '--tmpfs', '/home', '--tmpfs', '/run/user'],
  'DynamicUser=yes': ['--unshare-user', '--uid', USER, '--gid', USER],
  'ProtectHostname=yes': ['--unshare-uts'],
  'ProtectControlGroups=yes': ['--unshare-cgroup-try'],
  'RemoveIPC=yes': ['--unshare-ipc'],
  'CapabilityBoundingSet=': ['--cap-drop', 'ALL'],
};

/** Why no unit can be shut in here; null when it can. */
export function missingBwrap(): string | null {
  const { status } = spawnSync('bwrap', [...Object.values(SHUT_IN).flat(), '/bin/true']);
  return status === 0 ? null : 'bwrap (Debian: bubblewrap) is not installed, or may make no namespaces here';
}

interface Options {
  /** Of a unit whose name ends in `@`. */
  readonly instance?: string;
  /** What is in the unit's `EnvironmentFile`. */
  readonly settings: Readonly<Record<string, string>>;
  /** A folder of the test: its `var` stands for `/var/lib`. */
  readonly place: string;
}

/** The command of a unit of `deploy/systemd`, started without systemd and shut in as the unit says. */
export class ShutInUnit {
  readonly #child: ChildProcess;
  #printed = '';

  constructor(name: string, { instance = '', settings, place }: Options) {
    const unit = readFileSync(join(ROOT, 'deploy/systemd', `${name}.service`), 'utf8').replaceAll('%i', instance);
    const all = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const [command = ''] = all('ExecStart');
    const environment = all('Environment').flatMap((line) => line.split(' '));
    const variables = [...environment, ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)];
    const folders = all('StateDirectory').flatMap((line) => line.split(' '));
    for (const folder of folders) mkdirSync(join(place, 'var', folder), { recursive: true });
    writeFileSync(join(place, 'command'), `#!/bin/sh\nexec "${process.execPath}" "${ROOT}/cli/dist/main.js" "$@"\n`, {
      mode: 0o755,
    });
    // systemd gives the user of `DynamicUser` a name, which initdb asks for.
    writeFileSync(join(place, 'passwd'), `ocr-router:x:${USER}:${USER}::/:/usr/sbin/nologin\n`);
    const lines = unit.split('\n');
    this.#child = spawn(
      'bwrap',
      [
        ...Object.entries(SHUT_IN).flatMap(([line, flags]) => (lines.includes(line) ? flags : [])),
        ...['--tmpfs', '/opt', '--tmpfs', '/var/lib', '--die-with-parent', '--clearenv'],
        ...[ROOT, dirname(process.execPath)].flatMap((path) => ['--ro-bind', path, path]),
        ...['--ro-bind', join(place, 'command'), COMMAND, '--ro-bind', join(place, 'passwd'), '/etc/passwd'],
        ...folders.flatMap((folder) => ['--bind', join(place, 'var', folder), `/var/lib/${folder}`]),
        ...['--setenv', 'PATH', '/usr/bin:/bin'],
        ...variables.flatMap((each) => {
          const equals = each.indexOf('=');
          return ['--setenv', each.slice(0, equals), each.slice(equals + 1)];
        }),
        ...['--chdir', all('WorkingDirectory')[0] ?? '/', ...command.split(' ')],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#printed = (this.#printed + chunk.toString()).slice(-KEPT_CHARACTERS);
      });
    }
  }

  get printed(): string {
    return this.#printed;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits for what ends by itself. */
  async end(): Promise<number | null> {
    if (this.running) await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  /** SIGTERM for the command, which `bwrap` does not hand on. */
  async stop(): Promise<number | null> {
    const { stdout } = spawnSync('pgrep', ['-P', String(this.#child.pid)], { encoding: 'utf8' });
    for (const pid of stdout.trim().split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGTERM');
    return this.end();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
