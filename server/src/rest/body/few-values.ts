import { AppError } from '../../platform/errors.ts';

/**
 * Most values in a body; no call needs as many. A parsed value takes up to forty times its bytes, and parsing blocks everybody.
 */
const MOST_VALUES = 150_000;
const AT_ONCE = 4096;
/** The characters before each value: a list's or an object's beginning, or a comma. */
const MARKS = [',', '[', '{'].map((mark) => mark.charCodeAt(0));

/**
 * Throws 400 for JSON with more values than a call can have, before it is parsed. Counts these characters in texts, too. Yields
 * now and then.
 */
export function* requireFewValues(bytes: Buffer): Generator<void, void> {
  let values = 0;
  for (const mark of MARKS) {
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
      if (++values > MOST_VALUES) throw tooMany();
      if (values % AT_ONCE === 0) yield;
    }
    yield;
  }
}

function tooMany(): AppError {
  const most = MOST_VALUES.toLocaleString('en-US');
  return new AppError('invalid_request', `The body has more than ${most} values: no call takes as many.`);
}
