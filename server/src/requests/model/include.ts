import { AppError } from '../../platform/errors.ts';
import type { PageParts } from './ocr-page.ts';

/** What a result may carry beside its text. Words bring their lines; each brings its pages. */
const PAGE_PARTS = ['pages', 'lines', 'words', 'tables'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

/** What is asked for, in one order. Throws `invalid_request` for what is unknown, or named twice. */
export function includedParts(names: readonly string[] | null | undefined): PagePart[] {
  const asked = names ?? [];
  if (new Set(asked).size < asked.length) throw new AppError('invalid_request', 'include: names something twice.');
  const unknown = asked.find((name) => !isPart(name));
  if (unknown !== undefined) {
    const known = PAGE_PARTS.map((part) => `\`${part}\``).join(', ');
    throw new AppError('invalid_request', `include: "${unknown.slice(0, 100)}" is none of ${known}.`);
  }
  return PAGE_PARTS.filter((part) => asked.includes(part));
}

/** Whether engines are asked for the positions of their text. */
export function wantsPositions(include: readonly PagePart[] | undefined): boolean {
  return include?.some((part) => part === 'lines' || part === 'words') ?? false;
}

export function pageParts(include: readonly PagePart[]): PageParts {
  return { lines: wantsPositions(include), words: include.includes('words'), tables: include.includes('tables') };
}

function isPart(name: string): name is PagePart {
  return (PAGE_PARTS as readonly string[]).includes(name);
}
