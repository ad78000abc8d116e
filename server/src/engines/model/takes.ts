import { counted } from '../../platform/numbers/counted.ts';
import type { Engine } from './engine.ts';

/**
 * Why the engine does not take so many scanned pages of a PDF from the one that was named, in a sentence for the caller; null
 * where it does. Pages are drawn for an engine that reads no PDF itself.
 */
export function untakenScans(engine: Engine, pages: number): string | null {
  const isDrawn = !engine.nativePdf && engine.accepts.includes('png');
  const unread = isDrawn ? null : unreadFormat(engine, 'pdf');
  const { maxPagesPerRequest: most } = engine;
  if (unread !== null || pages <= most) return unread;
  return `Engine "${engine.id}" reads ${counted(most, 'page')} of a request at most, and ${pages} are for it.`;
}

/** Why the engine does not read documents of a format, likewise. */
export function unreadFormat(engine: Engine, format: string): string | null {
  if (engine.accepts.includes(format)) return null;
  const formats = engine.accepts.filter((kind) => kind !== 'url' && kind !== 'base64').join(', ');
  return `Engine "${engine.id}" does not read ${format}; it reads ${formats}.`;
}
