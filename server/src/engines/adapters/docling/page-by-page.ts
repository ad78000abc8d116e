import type { Adapter } from '../../model/adapter-type.ts';
import type { EngineInput, EngineSettings, PageReading, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';

/**
 * Reads a PDF with one call for each page. Docling marks page breaks in its text, but none beside an empty page: one text for all
 * pages could not be divided again.
 */
export class PageByPage implements Adapter {
  readonly #page: Adapter;

  constructor(page: Adapter) {
    this.#page = page;
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    if (input.kind === 'picture') return this.#page.read(input, settings, signal);
    const pages: PageReading[] = [];
    const warnings = new Set<string>();
    let ending: Reading['ending'] = { kind: 'ok' };
    for (const number of input.pages) {
      const reading = await this.#page.read({ ...input, pages: [number] }, settings, signal);
      for (const warning of reading.warnings) warnings.add(warning);
      if (reading.ending.kind === 'empty') {
        pages.push({ number, text: '', confidence: null, source: 'engine' });
      } else if (reading.ending.kind === 'ok' || reading.ending.kind === 'truncated') {
        pages.push(...reading.pages);
        if (reading.ending.kind === 'truncated') ending = reading.ending;
      } else {
        return { ...reading, warnings: [...warnings] }; // what failed for one page fails for the others
      }
    }
    const known = { billed: 'no', warnings: [...warnings] } as const;
    if (pages.every((page) => page.text === '')) return unread({ ...known, ending: { kind: 'empty' } });
    return unread({ ...known, ending, pages });
  }
}
