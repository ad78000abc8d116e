import { AppError } from '../platform/errors.ts';
import { fromUsd, type NanoUsd } from '../platform/money.ts';

/** An amount that may be below 0. Throws `invalid_request` for what is no number, or too much. */
export function signedUsdAmount(usd: number): NanoUsd {
  return usd < 0 ? -usdAmount(-usd) : usdAmount(usd);
}

/** An amount that somebody typed. Throws `invalid_request` for what is negative, no number, or too much. */
export function usdAmount(usd: number): NanoUsd {
  if (!Number.isFinite(usd) || usd < 0) throw new AppError('invalid_request', 'usd: must be a positive amount.');
  try {
    return fromUsd(usd);
  } catch (error) {
    throw new AppError('invalid_request', 'usd: is out of range.', {}, { cause: error });
  }
}
