import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface InstalledTesseract {
  /** Such as `5.3.0`. */
  readonly version: string;
  readonly languages: readonly string[];
  /** The folder of its language data; null where the program does not tell it. */
  readonly dataDir: string | null;
}

/** The version and languages of the program at this path, or of this name on the PATH; null where there is none that runs. */
export async function findTesseract(at: {
  readonly program?: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<InstalledTesseract | null> {
  const { program = 'tesseract', env } = at;
  const banner = await output(program, ['--version'], env);
  const version = /^tesseract v?(\d+)(\.[\w.-]+)?/m.exec(banner ?? '');
  if (!version || Number(version[1]) < 4) return null; // before 4 there is no neural network
  const listing = (await output(program, ['--list-langs'], env)) ?? '';
  const [title = '', ...lines] = listing.trim().split(/\r?\n/);
  return {
    version: `${version[1]}${version[2] ?? ''}`,
    languages: lines.map((line) => line.trim()).filter((line) => /^[\w/]+$/.test(line)),
    dataDir: /"(.+)"/.exec(title)?.[1] ?? null,
  };
}

/** The output of the program, on both streams: versions differ in the one that they answer on. Null where it cannot be run. */
async function output(program: string, args: string[], env: Readonly<Record<string, string>>): Promise<string | null> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { env, timeout: 10_000, windowsHide: true });
    return stdout + stderr;
  } catch {
    return null;
  }
}
