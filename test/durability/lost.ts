import type { Row } from './books.ts';

/** Whether a row cost nothing because it never came to a reading that counts, whatever the provider did. */
export function isLost({ errorCode }: Pick<Row, 'errorCode'>): boolean {
  return errorCode === 'internal_error' || errorCode === 'engine_unavailable';
}
