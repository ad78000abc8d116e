import { plainText } from '../../documents/markdown/plain-text.ts';
import { PAGE_BREAK } from '../judge/conclude.ts';
import { alto } from './alto.ts';
import { csv } from './csv.ts';
import { hocr } from './hocr.ts';
import type { FileFormat } from './output-format.ts';
import type { Provenance, ReadPage } from './read-page.ts';

/** A file of text, in parts as its pages come. */
export async function* textFile(
  format: Exclude<FileFormat, 'pdf'>,
  pages: AsyncIterable<ReadPage>,
  provenance: Provenance,
): AsyncGenerator<string | Buffer> {
  switch (format) {
    case 'hocr':
      return yield* hocr(pages, provenance);
    case 'alto':
      return yield* alto(pages, provenance);
    case 'csv':
      return yield* csv(pages);
    case 'text':
      return yield* joined(pages, plainText);
    case 'markdown':
      return yield* joined(pages, (text) => text);
  }
}

/** As the text of a result is joined: pages without any leave nothing behind. */
async function* joined(pages: AsyncIterable<ReadPage>, convert: (text: string) => string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { text } of pages) {
    if (text === null) continue;
    yield isFirst ? convert(text) : PAGE_BREAK + convert(text);
    isFirst = false;
  }
}
