import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const SETS = ['easy', 'hard'] as const;
const PICTURES = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff', '.bmp', '.pdf']);

const LANGUAGE = /\.([a-z]{2,3})$/;

/** A document, and the text that it shows. */
export interface Truth {
  readonly name: string;
  readonly set: 'easy' | 'hard';
  readonly path: string;
  readonly text: string;
  /** Such as `en`. */
  readonly language: string;
}

interface Manifest {
  readonly documents: readonly { file: string; text: string; set?: string; language?: string }[];
}

/**
 * The documents of a folder: what its `manifest.json` lists, otherwise every `x.png` with an `x.txt` beside it in
 * `easy/` and `hard/`; `x.ja.png` with `x.ja.txt` is Japanese. Throws when there is none, or a document has no text.
 */
export function readTruths(folder: string): Truth[] {
  const manifest = join(folder, 'manifest.json');
  const truths = existsSync(manifest) ? listed(folder, manifest) : SETS.flatMap((set) => paired(folder, set));
  if (truths.length === 0) throw new Error(`${folder} has no manifest.json, and no documents in easy/ or hard/`);
  return truths;
}

function listed(folder: string, manifest: string): Truth[] {
  const { documents } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest; // checked field by field below
  if (!Array.isArray(documents)) throw new Error(`${manifest} must hold {"documents": [{"file", "text", "set"}]}`);
  return documents.map(({ file, text, set = 'hard', language = 'en' }) => {
    if (typeof file !== 'string' || typeof text !== 'string') throw new Error(`${manifest}: file and text are texts`);
    if (set !== 'easy' && set !== 'hard') throw new Error(`${manifest}: the set of ${file} must be easy or hard`);
    return { name: file, set, path: join(folder, file), text, language };
  });
}

function paired(folder: string, set: 'easy' | 'hard'): Truth[] {
  const inside = join(folder, set);
  if (!existsSync(inside)) return [];
  const files = readdirSync(inside).sort();
  return files
    .filter((file) => PICTURES.has(extname(file).toLowerCase()))
    .map((file) => {
      const name = file.slice(0, -extname(file).length);
      const text = join(inside, `${name}.txt`);
      const language = LANGUAGE.exec(name)?.[1] ?? 'en';
      if (!existsSync(text)) throw new Error(`${join(inside, file)} has no text beside it: ${text}`);
      return { name: file, set, path: join(inside, file), text: readFileSync(text, 'utf8'), language };
    });
}
