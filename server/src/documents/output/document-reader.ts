import type { Format, Inspection, PagePicture, TextPage } from '../formats/document.ts';
import type { DocumentClient } from '../limits/document-client.ts';

/** The part of `Documents` that is needed here. */
export interface DocumentReader {
  inspect(bytes: Buffer, client?: DocumentClient): Promise<Inspection>;
  picture(
    bytes: Buffer,
    format: Format,
    page: number,
    options: DocumentClient & { dpi: number | null; decoded?: boolean },
  ): Promise<PagePicture>;
  text(bytes: Buffer, pages: readonly number[], client?: DocumentClient): Promise<TextPage[]>;
}
