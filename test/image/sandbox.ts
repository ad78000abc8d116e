import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ImageConfig } from './buildah.ts';

/** The root as a container has it: read-only, with memory at /tmp and /data, in mounts of its own. */
const ENTER = `set -e
root=$1 user=$2 folder=$3
shift 3
mount --bind "$root" "$root"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o uid=\${user%:*},gid=\${user#*:} tmpfs "$root/data"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" env -i -C "$folder" "$@"`;

/** The root of an image, whose programs run as it says. */
export class Sandbox {
  readonly #root: string;
  readonly #config: ImageConfig;

  constructor({ root, config }: { root: string; config: ImageConfig }) {
    this.#root = root;
    this.#config = config;
  }

  /** A program of the image. */
  start(program: readonly string[], env: Readonly<Record<string, string>>): SandboxProcess {
    const { Env, User, WorkingDir } = this.#config;
    const settings = [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const wish = [this.#root, User, WorkingDir, ...settings, ...program];
    const enter = ['--mount', '--propagation', 'private', 'sh', '-c', ENTER, 'sh', ...wish];
    // Typed by its streams: the other one is inherited.
    return spawn('unshare', enter, { stdio: ['ignore', 'pipe', 'inherit'] }) as SandboxProcess;
  }

  /** What it is started for, with a command. */
  command(command: readonly string[], env: Readonly<Record<string, string>>): SandboxProcess {
    return this.start([...this.#config.Entrypoint, ...command], env);
  }
}

export type SandboxProcess = ChildProcess & { stdout: Readable };
