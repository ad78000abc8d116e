import type { IconName } from '../kit/icon.tsx';

/** Something that the palette leads to. */
export interface PaletteItem {
  readonly id: string;
  readonly group: 'Request' | 'Actions' | 'Pages' | 'Engines' | 'Accounts' | 'Gateways';
  readonly label: string;
  /** What tells it from others with a similar name; searched, too. */
  readonly words: string;
  /** Instead of its group's. */
  readonly icon?: IconName;
}

/** Items that hold every word of the query somewhere; those whose name begins with it come first in their group. */
export function findItems(items: readonly PaletteItem[], query: string): readonly PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  const found = items.filter(({ label, words: more }) => {
    const text = `${label} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ label }: PaletteItem): number => (label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return [...found].sort((a, b) => begins(a) - begins(b));
}
