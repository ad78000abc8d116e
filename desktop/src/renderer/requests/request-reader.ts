import { type RequestRowFragment, RequestsDocument } from '../../documents.generated.ts';
import { askOnce, connectionPage } from '../graphql/ask-once.ts';
import type { PageReader } from '../graphql/read-all.ts';
import { readFilter, requestFilter, withinHours } from './request-filter.ts';

const PAGE_ROWS = 100;

/** Reads all that the list of this search finds, as of now; what comes later is not among it. */
export function requestReader(filterSearch: string, hours: number): PageReader<RequestRowFragment> {
  const filter = requestFilter(withinHours(readFilter(filterSearch), hours, Date.now()));
  return async (after) =>
    connectionPage((await askOnce(RequestsDocument, { filter, first: PAGE_ROWS, after })).requests);
}
