import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUILD_MS = 45 * 60_000;

/** What an image says of how it is started. */
export interface ImageConfig {
  readonly Entrypoint: readonly string[];
  readonly Env: readonly string[];
  readonly User: string;
  readonly WorkingDir: string;
}

/** `buildah` with its images in a folder of its own. Steps run as programs of this machine, in the root of the image. */
export class Buildah {
  readonly #options: readonly string[];
  readonly #policy: string;

  private constructor(place: string, policy: string) {
    this.#options = ['--root', join(place, 'storage'), '--runroot', join(place, 'run')];
    this.#policy = policy;
  }

  static async open(place: string): Promise<Buildah> {
    const policy = join(place, 'policy.json'); // nothing comes from elsewhere
    await writeFile(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
    return new Buildah(place, policy);
  }

  /** An image of a folder. */
  async import(folder: string, name: string): Promise<void> {
    const container = await this.#run('from', 'scratch');
    await this.#run('add', container, folder, '/');
    await this.#run('commit', '--signature-policy', this.#policy, '--rm', container, name);
  }

  async build(context: string, { base, name }: { base: string; name: string }): Promise<void> {
    const wish = ['--isolation', 'chroot', '--network', 'host', '--signature-policy', this.#policy, '--pull-never'];
    const file = ['--file', join(context, 'deploy/Dockerfile'), '--build-arg', `BASE=${base}`, '--tag', name];
    await this.#run('build', ...wish, ...file, context);
  }

  /** Where the root of an image stands, and what the image says of it. */
  async mount(name: string): Promise<{ root: string; config: ImageConfig }> {
    const container = await this.#run('from', '--signature-policy', this.#policy, '--pull-never', name);
    const root = await this.#run('mount', container);
    const { OCIv1: image } = JSON.parse(await this.#run('inspect', container)) as { OCIv1: { config: ImageConfig } };
    return { root, config: image.config };
  }

  /** Takes everything away that it has made. */
  async clean(): Promise<void> {
    await this.#run('rm', '--all');
    await this.#run('rmi', '--all', '--force');
  }

  async #run(...args: string[]): Promise<string> {
    const options = { timeout: BUILD_MS, maxBuffer: 1e8 };
    const { stdout } = await run('buildah', [...this.#options, ...args], options).catch(
      (error: { stderr?: string }) => {
        const last = (error.stderr ?? '').trim().split('\n').slice(-20).join('\n');
        throw new Error(`buildah ${args[0]} failed:\n${last}`, { cause: error });
      },
    );
    return stdout.trim();
  }
}
