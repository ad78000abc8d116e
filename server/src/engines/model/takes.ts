import { counted } from '../../platform/numbers/counted.ts';
import type { Engine } from './engine.ts';

/** What an engine is to be given. */
export interface Given {
  readonly inputType: 'url' | 'base64';
  readonly format: string;
  readonly pages: number;
}

/** Why the engine does not take it, in a sentence for the caller; null where it does. */
export function untaken(engine: Engine, { inputType, format, pages }: Given): string | null {
  if (!engine.accepts.includes(inputType)) return `Engine "${engine.id}" does not accept \`${inputType}\`.`;
  const unread = unreadFormat(engine, format);
  const { maxPagesPerRequest: most } = engine;
  if (unread !== null || pages <= most) return unread;
  return `Engine "${engine.id}" reads ${counted(most, 'page')} of a request at most, and ${pages} are for it.`;
}

/** The same of a format alone. */
export function unreadFormat(engine: Engine, format: string): string | null {
  if (engine.accepts.includes(format)) return null;
  const formats = engine.accepts.filter((kind) => kind !== 'url' && kind !== 'base64').join(', ');
  return `Engine "${engine.id}" does not read ${format}; it reads ${formats}.`;
}
