import { AppError } from '../../platform/errors.ts';

export const DEFAULT_PAGE_SIZE = 50;
const MOST_PER_PAGE = 100;

/** The number of rows of a page. Throws `invalid_request` for anything but 1 to 100. */
export function pageSize(first: number): number {
  if (first >= 1 && first <= MOST_PER_PAGE) return first;
  throw new AppError('invalid_request', `first: must be from 1 to ${MOST_PER_PAGE}.`);
}
