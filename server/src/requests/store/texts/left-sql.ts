import { isExpired, withLife } from '../../../accounts/store/history-sql.ts';

/** Values of columns by their names, as SQL. */
type Left = Readonly<Record<string, string>>;

/** What a deletion leaves of a request in the columns that it changes; `r` is its row. */
const REQUEST = {
  text_retained: 'false',
  preview: 'null',
  warnings: `'[]'::jsonb`,
  warning: 'null',
  provider_error: 'null',
  metadata: 'null',
  applied_settings: 'null',
  document_hash: 'null',
  effective: `r.effective || '{"url": null, "native": {}, "webhookUrl": null, "language": null, "languageHints": null,
    "mimeType": null, "pageRange": null}'`,
} as const satisfies Left;

/** What it leaves of the request's pages, and of its attempts. */
const PAGE = { text: 'null', message: 'null' } as const satisfies Left;
const ATTEMPT = { message: 'null', usage: 'null' } as const satisfies Left;

/** The assignments of a deletion: of request `r`, of its pages and of its attempts. */
export const FORGET_REQUEST = assignments(REQUEST);
export const FORGET_PAGE = assignments(PAGE);
export const FORGET_ATTEMPT = assignments(ATTEMPT);

/** A join that the columns of request `r` below need. */
export const WITH_LIFE = withLife('r');

/** The condition that the texts of request `r` may be shown, where they were kept. History may have been switched off since. */
export const KEEPS_TEXT = 'life.keeps';

const SHOWN = shown('r', REQUEST, 'life.is_over');

/** Columns of request `r` as they are read, by their names: once its days are over, as a deletion leaves them. */
export const SHOWN_REQUEST = {
  ...SHOWN,
  text_retained: `(r.text_retained and ${KEEPS_TEXT})`,
  preview: `case when r.preview is not null and ${KEEPS_TEXT} then r.preview end`,
  // A repeated tail is a piece of the text.
  metadata: `case when life.is_over then null when r.metadata ->> 'possibleDuplicate' is null or ${KEEPS_TEXT} then r.metadata
    else r.metadata - 'possibleDuplicate' end`,
};

/** The same of its pages `p` and attempts `a`; `isOver` is the condition that its days are over. */
export const shownPage = (isOver: string) => shown('p', PAGE, isOver);
export const shownAttempt = (isOver: string) => shown('a', ATTEMPT, isOver);

/** The condition that the days of the request with this id (an SQL expression) are over. */
export function isOver(requestId: string): string {
  return `exists (select from ocr_request o where o.id = ${requestId} and ${isExpired('o.account_id', 'o.finished_at')})`;
}

function assignments(left: Left): string {
  return Object.entries(left)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ');
}

function shown<L extends Left>(row: string, left: L, condition: string): { readonly [column in keyof L]: string } {
  const columns = Object.entries(left).map(([column, value]) => [
    column,
    `case when ${condition} then ${value} else ${row}.${column} end`,
  ]);
  return Object.fromEntries(columns) as { [column in keyof L]: string }; // the same names
}
