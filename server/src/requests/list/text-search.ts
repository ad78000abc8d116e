import { isTooSlow } from '../../database/outage.ts';
import { WaitingLine } from '../../platform/concurrency/waiting-line.ts';
import { AppError } from '../../platform/errors.ts';
import { showsMessages } from '../store/texts/left-sql.ts';

const SHORTEST = 3;
const LONGEST = 200;

/** A search reads many requests, and leaves connections of the reports to others. */
const LINE = {
  permits: 1,
  permitsEach: 1,
  mostWaiting: 20,
  mostWaitingEach: 5,
  waitMs: 10_000,
  message: 'Other texts are being searched for. Try again in a moment.',
};
/** Operators take turns together. */
const OPERATORS = 'operators';

const TOO_SLOW =
  'The search took too long and was stopped. Choose a shorter time, an account or the status `failed` beside the text.';

/**
 * Whether a request's error has a text in it, or its key begins with it; `text` is an SQL expression. What was read is not looked
 * at, nor what is not shown any more.
 */
export function hasText(request: string, text: string): string {
  return `(strpos(lower(${request}.error_code), lower(${text}::text)) > 0
    or case when strpos(lower(${request}.provider_error), lower(${text}::text)) > 0
      then ${showsMessages(`${request}.id`)} end
    or starts_with(${request}.idempotency_key, ${text}::text))`;
}

/** The text as it is looked for. Throws for one that nearly every request would have. */
export function searchedText(given: string): string {
  const text = given.trim();
  if (text.length >= SHORTEST && text.length <= LONGEST && !text.includes('\0')) return text;
  throw new AppError('invalid_request', `filter.text: must have ${SHORTEST} to ${LONGEST} characters.`);
}

/** Searches of texts, one at a time: accounts take turns. One that the database has stopped says what would make it shorter. */
export class TextSearch {
  readonly #line = new WaitingLine(LINE);

  async rows<Row>(party: string | null, read: () => Promise<Row[]>): Promise<Row[]> {
    using _turn = await this.#line.take(party ?? OPERATORS);
    try {
      return await read();
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      throw new AppError('invalid_request', TOO_SLOW, {}, { cause: error }); // who asks can mend it, nobody else
    }
  }
}
