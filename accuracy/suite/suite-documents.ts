import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTruths } from '../truths.ts';

/** A document of a suite with its truth. */
export interface SuiteDocument {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** ISO codes. */
  readonly languages: readonly string[];
  /** What it is an example of, such as `skewed`. */
  readonly kinds: readonly string[];
}

interface Listed {
  readonly files: readonly {
    readonly file: string;
    readonly language?: string | null;
    readonly tags?: readonly string[];
    readonly expected_text_file?: string | null;
    readonly pages?: number | null;
    readonly note?: string;
  }[];
}

/** In a note: every page of the document has the text of the file. */
const PER_PAGE = /\btruth is per page\b/;

/**
 * The documents with truth of a folder: those of a `manifest.json` with `files` (each `file`, `language`, `tags`,
 * `expected_text_file`, `pages` and `note`), and otherwise what `--documents` takes.
 */
export function readSuite(folder: string): SuiteDocument[] {
  const manifest = join(folder, 'manifest.json');
  const listed = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Partial<Listed>) : {};
  if (!Array.isArray(listed.files)) {
    return readTruths(folder).map(({ name, path, text, language, set }) => ({
      name: `${set}/${name}`,
      path,
      text,
      languages: [language],
      kinds: [set],
    }));
  }
  return (listed as Listed).files.flatMap(({ file, language, tags = [], expected_text_file: truth, pages, note }) => {
    if (!truth || !existsSync(join(folder, truth))) return [];
    const times = PER_PAGE.test(note ?? '') ? (pages ?? 1) : 1;
    const text = Array<string>(times)
      .fill(readFileSync(join(folder, truth), 'utf8'))
      .join('\n');
    return [{ name: file, path: join(folder, file), text, languages: (language ?? 'en').split('+'), kinds: tags }];
  });
}
