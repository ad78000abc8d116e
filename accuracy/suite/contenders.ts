import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mapLanguage } from '../../server/src/engines/language/language.ts';
import type { Engine, EngineSettings } from '../../server/src/engines/model/engine.ts';
import { toUsd } from '../../server/src/platform/money.ts';
import type { ReadingTools } from '../read-truth.ts';
import type { SuiteDocument } from './suite-documents.ts';

/** Somebody who reads documents. */
export interface Contender {
  readonly name: string;
  /** Null for a document that it does not take. */
  read(document: SuiteDocument): Promise<{ text: string; costUsd: number | null } | null>;
}

const NEVER = new AbortController().signal;
const TIMEOUT_MS = 300_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** The gateway: a PDF's own text where it can be trusted, everything else by the engine. */
export function gateway(engine: Engine, { engines, documents }: ReadingTools, preprocess: boolean): Contender {
  const settingsOf = ({ languages }: SuiteDocument): EngineSettings => {
    const [language, ...hints] = languages;
    const native = mapLanguage('three-letter', language, undefined).native;
    const more = hints.map((hint) => mapLanguage('three-letter', hint, undefined).native);
    const languageNative = [native, ...more].flat().join('+');
    return { language: language ?? 'en', languageNative, dpi: null, detectTables: false, native: {}, preprocess };
  };
  return {
    name: preprocess ? 'gateway' : 'preprocess off',
    async read(document) {
      const bytes = readFileSync(document.path);
      const { format, pages } = await documents.inspect(bytes);
      const numbers = Array.from({ length: pages }, (_, index) => index + 1);
      const layers = format === 'pdf' ? await documents.text(bytes, numbers) : [];
      const texts: string[] = [];
      let free = 0;
      for (const page of numbers) {
        const layer = layers[page - 1];
        if (layer && layer.kind !== 'scanned') texts.push(layer.text);
        else {
          const picture = await documents.picture(bytes, format, page, { dpi: null, decoded: true, preprocess });
          const input = { kind: 'picture', page, picture, document } as const;
          const { reading } = await engines.read(engine, input, settingsOf(document), {
            requestId: null,
            signal: NEVER,
          });
          texts.push(reading.pages[0]?.text ?? '');
          if (reading.ending.kind === 'refused') free++;
        }
      }
      return { text: texts.join('\n'), costUsd: toUsd(engine.pricePerPage) * (pages - free) };
    },
  };
}

/** The programs of others that are installed. Their calls are what people use by default. */
export async function anchors(): Promise<Contender[]> {
  const found = await Promise.all(
    [bareTesseract, ocrmypdf, pdftotext].map(async (one) => ((await isThere(one.program)) ? one : null)),
  );
  return found.filter((one) => one !== null);
}

const bareTesseract: Contender & { program: string } = {
  name: 'tesseract',
  program: 'tesseract',
  async read({ path, languages }) {
    const wish = await installedOf(languages);
    const read = (file: string) => run('tesseract', [file, 'stdout', '-l', wish]);
    if (!path.endsWith('.pdf')) return { text: await read(path), costUsd: 0 };
    return withFolder(async (folder) => {
      await run('pdftoppm', ['-r', '300', '-png', path, join(folder, 'page')]);
      const texts: string[] = [];
      for (const name of (await readdir(folder)).sort()) texts.push(await read(join(folder, name)));
      return { text: texts.join('\n'), costUsd: 0 };
    });
  },
};

const ocrmypdf: Contender & { program: string } = {
  name: 'OCRmyPDF',
  program: 'ocrmypdf',
  async read({ path, languages }) {
    const wish = await installedOf(languages);
    return withFolder(async (folder) => {
      const [sidecar, out] = [join(folder, 'text.txt'), join(folder, 'out.pdf')];
      const options = ['--deskew', '--rotate-pages', '--force-ocr', '--image-dpi', '300', '-l', wish];
      await run('ocrmypdf', [...options, '--sidecar', sidecar, path, out]);
      return { text: readFileSync(sidecar, 'utf8'), costUsd: 0 };
    });
  },
};

const pdftotext: Contender & { program: string } = {
  name: 'pdftotext',
  program: 'pdftotext',
  async read({ path }) {
    return path.endsWith('.pdf') ? { text: await run('pdftotext', [path, '-']), costUsd: 0 } : null;
  },
};

/** As the installed Tesseract takes them; English where it has data of none. */
async function installedOf(languages: readonly string[]): Promise<string> {
  const codes = languages.flatMap((code) => mapLanguage('three-letter', code, undefined).native);
  const installed = (await run('tesseract', ['--list-langs'])).split('\n');
  return codes.filter((code) => installed.includes(code)).join('+') || 'eng';
}

async function isThere(program: string): Promise<boolean> {
  return run(program, [program === 'pdftotext' ? '-v' : '--version']).then(
    () => true,
    () => false,
  );
}

async function run(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const options = { env, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES };
  return (await promisify(execFile)(program, args, options)).stdout;
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-suite-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
