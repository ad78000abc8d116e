import { AppError } from '../../platform/errors.ts';

/** No call needs as many. A value takes up to forty times its bytes once it is parsed, and blocks everybody while it is. */
const MOST_VALUES = 150_000;
/** What stands before each value but the first of all, or begins it. */
const MARKS = [',', '[', '{'].map((mark) => mark.charCodeAt(0));

/** Throws 400 for JSON of more values than a call can have, before it is parsed. Texts that hold such marks count, too. */
export function requireFewValues(bytes: Buffer): void {
  let values = 0;
  for (const mark of MARKS) {
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
      if (++values > MOST_VALUES) throw tooMany();
    }
  }
}

function tooMany(): AppError {
  const most = MOST_VALUES.toLocaleString('en-US');
  return new AppError('invalid_request', `The body has more than ${most} values: no call takes as many.`);
}
