import { randomUUID } from 'node:crypto';
import { copyFile, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { makeFolder } from '../../../../platform/files/make-folder.ts';

const require = createRequire(import.meta.url);

/** Places of the data that comes with the package. */
const PACKED: Readonly<Record<string, () => string>> = {
  ara: () => require.resolve('@tesseract.js-data/ara/package.json'),
  chi_sim: () => require.resolve('@tesseract.js-data/chi_sim/package.json'),
  eng: () => require.resolve('@tesseract.js-data/eng/package.json'),
  jpn: () => require.resolve('@tesseract.js-data/jpn/package.json'),
  kor: () => require.resolve('@tesseract.js-data/kor/package.json'),
  osd: () => require.resolve('@tesseract.js-data/osd/package.json'),
};

/** The place of a language's data in a package; null where it is not installed. Packages beside those of `PACKED` count, too. */
function packageOf(code: string): (() => string) | null {
  const known = Object.hasOwn(PACKED, code) ? PACKED[code] : undefined;
  if (known) return known;
  if (!/^[a-z]{2,10}(_[A-Za-z]{2,10})*$/.test(code)) return null;
  const resolve = () => require.resolve(`@tesseract.js-data/${code}/package.json`);
  try {
    resolve();
    return resolve;
  } catch {
    return null; // not installed
  }
}

/** The languages with data in a folder of the operator's; none where there is no such folder. */
export async function languagesIn(dir: string | null): Promise<InstalledData> {
  const names = dir === null ? [] : await readdir(dir).catch(() => []);
  const languages = names.flatMap((name) => /^([\w-]+)\.traineddata$/.exec(name)?.[1] ?? []);
  return { languages, dir };
}

/** The data of an installed program: its codes, and its folder where the program tells it. */
export interface InstalledData {
  readonly languages: readonly string[];
  readonly dir: string | null;
}

const NONE: InstalledData = { languages: [], dir: null };
/** Most codes that are remembered: callers may ask for any. */
const MOST_REMEMBERED = 500;

/**
 * Finds the folder with the data of all languages of a page. Data that the operator gave comes first, then an installed program's
 * own, which is the quickest (its English reads a page in three quarters of the time of the packed one). Packed data is unpacked
 * at the first use of each language.
 */
export class LanguageData {
  readonly #dir: string;
  readonly #installed: InstalledData;
  readonly #given: InstalledData;
  readonly #known = new Map<string, boolean>();
  readonly #placed = new Map<string, Promise<void>>();

  /** `dir` is filled with data that is not installed. */
  constructor(
    dir: string,
    { installed = NONE, given = NONE }: { installed?: InstalledData; given?: InstalledData } = {},
  ) {
    this.#dir = dir;
    this.#given = given;
    this.#installed = installed;
  }

  knows(code: string): boolean {
    const known = this.#known.get(code);
    if (known !== undefined) return known;
    const isKnown =
      [this.#given, this.#installed].some(({ languages }) => languages.includes(code)) || packageOf(code) !== null;
    if (this.#known.size < MOST_REMEMBERED) this.#known.set(code, isKnown);
    return isKnown;
  }

  /** The folder with the data of all these codes; null where the program finds it by itself. */
  async locate(codes: readonly string[]): Promise<string | null> {
    if (codes.every((code) => this.#given.languages.includes(code))) return this.#given.dir;
    const isGiven = codes.some((code) => this.#given.languages.includes(code));
    if (!isGiven && codes.every((code) => this.#installed.languages.includes(code))) return null;
    await Promise.all(codes.map((code) => this.#place(code)));
    return this.#dir;
  }

  #place(code: string): Promise<void> {
    const placed = this.#placed.get(code);
    if (placed) return placed;
    const placing = this.#unpackOrCopy(code);
    this.#placed.set(code, placing);
    placing.catch(() => this.#placed.delete(code)); // a full disk may have room the next time
    return placing;
  }

  async #unpackOrCopy(code: string): Promise<void> {
    await makeFolder(this.#dir);
    const target = join(this.#dir, `${code}.traineddata`);
    const { dir: givenDir, languages } = this.#given;
    if (givenDir !== null && languages.includes(code)) {
      return replace(target, (temporary) => copyFile(join(givenDir, `${code}.traineddata`), temporary));
    }
    const packed = packageOf(code);
    if (packed) return unpack(join(dirname(packed()), '4.0.0_best_int', `${code}.traineddata.gz`), target);
    if (this.#installed.dir === null) throw new Error(`the folder of the installed data of ${code} is not known`);
    const installed = join(this.#installed.dir, `${code}.traineddata`);
    await replace(target, (temporary) => copyFile(installed, temporary));
  }
}

/** Adds the data for columns to Japanese, which uses it where it lies in the same folder. */
export function withVertical(codes: readonly string[], knows: (code: string) => boolean): string[] {
  return codes.includes('jpn') && !codes.includes('jpn_vert') && knows('jpn_vert')
    ? [...codes, 'jpn_vert']
    : [...codes];
}

/** Unpacks data unless it is there in full; several processes may do so at once. */
async function unpack(packed: string, target: string): Promise<void> {
  const present = await stat(target).catch(() => null);
  if (present?.size === (await unpackedSize(packed))) return;
  const bytes = await promisify(gunzip)(await readFile(packed));
  await replace(target, (temporary) => writeFile(temporary, bytes));
}

/** Replaces a file: makes the new one beside it and renames that, so that a reader sees all of it or the old one. */
async function replace(target: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${target}.${randomUUID()}`;
  try {
    await make(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The size of a gzip file's content, with which it ends. */
async function unpackedSize(packed: string): Promise<number> {
  await using file = await open(packed);
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, size - 4);
  return buffer.readUInt32LE();
}
