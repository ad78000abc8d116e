import { AppError } from '../../platform/errors.ts';

/** No call needs as many. A value takes up to forty times its bytes once it is parsed, and blocks everybody while it is. */
const MOST_VALUES = 150_000;
const AT_ONCE = 4096;
/** What stands before each value but the first of all, or begins it. */
const MARKS = [',', '[', '{'].map((mark) => mark.charCodeAt(0));

/**
 * Throws 400 for JSON of more values than a call can have, before it is parsed, and yields now and then. Texts that hold such
 * marks count, too.
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
