import { enumType } from '../platform/enum-type.ts';
import { ERROR_CODES, type ErrorCode, httpStatusOf } from '../platform/errors.ts';

// `as`: the codes are the keys of the one table.
const DESCRIPTIONS = Object.fromEntries(
  ERROR_CODES.map((code) => [code, `Over REST it answers with HTTP ${httpStatusOf(code)}.`]),
) as Record<ErrorCode, string>;

export const ErrorCodeType = enumType('ErrorCode', 'Why a call failed.', DESCRIPTIONS);
