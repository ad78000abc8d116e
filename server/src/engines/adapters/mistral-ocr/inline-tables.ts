import { z } from 'zod';

const TABLES = z.array(z.object({ id: z.string().min(1).max(200), content: z.string() }));
/** The placeholder in the text for a table that comes beside it: a link whose words are its address. */
const PLACEHOLDER = /\[([^[\]()\n]{1,200})\]\(\1\)/g;

/**
 * Puts tables into the text at their placeholders, each once: where `table_format` is set, Mistral answers tables beside the
 * text. A placeholder without a table stays.
 */
export function withTables(markdown: string, tables: unknown): string {
  const parsed = TABLES.safeParse(tables);
  if (!parsed.success || parsed.data.length === 0) return markdown;
  const contents = new Map(parsed.data.map(({ id, content }) => [id, content]));
  return markdown.replace(PLACEHOLDER, (placeholder, id: string) => {
    const content = contents.get(id);
    contents.delete(id);
    return content === undefined ? placeholder : `\n\n${content.trim()}\n\n`;
  });
}
