import { withLife } from '../../../accounts/store/history-sql.ts';
import type { AttemptOutcome } from '../../model/attempt.ts';

/** Values of columns by their names, as SQL. */
type Left = Readonly<Record<string, string>>;

/** What a deletion leaves of request `r` in the columns that it changes. */
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

/** Endings whose messages may quote an engine or its provider, who may cite the page. */
const OUTCOMES: readonly AttemptOutcome[] = ['refused', 'unreadable', 'failed', 'rejected', 'empty', 'timeout'];
const QUOTED_OUTCOMES = `'{${OUTCOMES}}'::text[]`;

/** The condition that messages of the request of an attempt may quote its engine or its provider. */
export function mayQuote(attempt: string): string {
  return `(${attempt}.outcome = any(${QUOTED_OUTCOMES}) or ${attempt}.quote_at is not null)`;
}

/** In place of a message that the contract promises. */
const MESSAGE_GONE = 'The message was deleted with the texts of the account.';

/** What is left of request `r` once history is switched off; `quotes`: the condition that its messages may quote. */
function leftWithoutHistory(quotes: string) {
  return {
    text_retained: 'false',
    preview: 'null',
    document_hash: 'null',
    metadata: `case when ${quotes}
      then jsonb_set(r.metadata - 'possibleDuplicate' - 'warnings', '{fallback,reason}', to_jsonb('${MESSAGE_GONE}'::text), false)
      else r.metadata - 'possibleDuplicate' end`,
    provider_error: `case when ${quotes} and r.provider_error is not null then '${MESSAGE_GONE}' else r.provider_error end`,
    // Of what was read in part it says that its preview is kept (`partialNote`).
    warning: `case when not (${quotes} or (r.status = 'partial' and r.text_retained)) then r.warning end`,
    warnings: `case when ${quotes} then '[]' else r.warnings end`,
  } as const satisfies Left;
}

/** The assignments of the clean-up after history was switched off, and the condition that they change something. */
export function withoutHistory(quotes: string): { readonly assignments: string; readonly isDue: string } {
  return {
    assignments: assignments(leftWithoutHistory(quotes)),
    isDue: `(r.text_retained or r.preview is not null or r.metadata ->> 'possibleDuplicate' is not null
      or r.document_hash is not null
      or (${quotes} and (r.provider_error <> '${MESSAGE_GONE}' or r.warning is not null or r.warnings <> '[]')))`,
  };
}

/** A join that what follows needs of request `r`. */
export const WITH_LIFE = withLife('r');

/** The condition that the texts of request `r` may be shown, where they were kept. */
export const KEEPS_TEXT = 'life.keeps';

/** The same for a request, by a function of the database: a statement that names `attempt` opens all of its months. */
function quotes(request: string): string {
  return `may_quote_provider(${request}.id, ${QUOTED_OUTCOMES})`;
}

/** The condition that messages of the request's pages and attempts are not shown any more. */
function hidesMessages(request: string): string {
  return `(life.is_over or (life.is_off and ${quotes(request)}))`;
}

/** Columns of request `r` as they are read, by their names: as a deletion leaves them, whether it has come or not. */
export const SHOWN_REQUEST = shownRequest();

/** The requests among $1, with what is shown of their pages and attempts. */
export const SHOWN_OF = `(
    select r.id, r.text_retained, life.keeps, life.is_over, ${hidesMessages('r')} as hides_messages
    from ocr_request r ${WITH_LIFE} where r.id = any($1::text[]) offset 0)`;

/** Columns of pages `p` and attempts `a` of requests `r` of `SHOWN_OF`, likewise. */
export const SHOWN_PAGE = { message: `case when not r.hides_messages then p.message end` } as const;
export const SHOWN_ATTEMPT = {
  message: `case when not r.hides_messages then a.message end`,
  usage: `case when not r.is_over then a.usage end`,
} as const;

/** The condition that messages of pages and attempts of the request with this id are shown. */
export function showsMessages(requestId: `${string}.${string}` | `$${number}`): string {
  return `not exists (
    select from ocr_request own ${withLife('own')} where own.id = ${requestId} and ${hidesMessages('own')})`;
}

function assignments(left: Left): string {
  return Object.entries(left)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ');
}

function shownRequest(): { readonly [column in keyof typeof REQUEST]: string } {
  const off: Left = leftWithoutHistory(quotes('r'));
  const columns = Object.entries(REQUEST).map(([column, left]) => [
    column,
    `case when life.is_over then ${left} when life.is_off then ${off[column] ?? `r.${column}`} else r.${column} end`,
  ]);
  return Object.fromEntries(columns) as { [column in keyof typeof REQUEST]: string }; // the same names
}
