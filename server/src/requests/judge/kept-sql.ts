import { keepsText } from '../../accounts/store/history-sql.ts';

/** Judged when request `r` is read, not only when it is stored: history may have been switched off meanwhile. */
export const KEEPS_TEXT = keepsText('r.account_id', 'r.created_at', 'r.finished_at');

/** What is shown of its metadata: a repeated tail is a piece of the text. */
export const METADATA = `case when r.metadata ->> 'possibleDuplicate' is null or ${KEEPS_TEXT} then r.metadata
  else r.metadata - 'possibleDuplicate' end`;
