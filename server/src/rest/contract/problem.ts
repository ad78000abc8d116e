import type { ErrorObject } from 'ajv';
import { AppError, type BrokenRule, unknownParameter } from '../../platform/errors.ts';

/** Most characters of a caller's value in a message. */
const MOST_NAMED = 100;

/**
 * The error for the first broken rule of a request (`given`: its parts). It names the field and, where only some words are
 * allowed, the word that was given.
 */
export function describeProblem(errors: readonly ErrorObject[], given: unknown = {}): AppError {
  const [error] = errors;
  if (!error) return new AppError('invalid_request', 'The request breaks the contract.');
  const { part, path } = placeOf(error);
  const unknown: unknown = error.params['additionalProperty'];
  if (part === 'query' && typeof unknown === 'string') return unknownParameter(unknown);
  const rule = `${ruleOf(error)}${error.keyword === 'enum' ? namedWord(given, [part ?? '', ...path]) : ''}`;
  if (part === 'header' || part === 'headers') {
    return new AppError('invalid_request', `header ${headerName(path.join('.'))}: ${rule}.`);
  }
  const broken = { path, rule };
  return new AppError('invalid_request', sentenceOf(broken), part === 'requestBody' ? { brokenRule: broken } : {});
}

/** A broken rule as a sentence: `settings.dpi: must be integer.` */
export function sentenceOf({ path, rule }: BrokenRule): string {
  const name = path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('');
  return `${name.replace(/^\./, '') || 'body'}: ${rule}.`;
}

/**
 * The part of the request and the path in it: `/requestBody/settings/dpi` is `settings`, `dpi` in `requestBody`. A missing
 * property belongs to the path.
 */
function placeOf({ instancePath, keyword, params }: ErrorObject): { part: string | undefined; path: string[] } {
  const [part, ...path] = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required' && typeof params['missingProperty'] === 'string') path.push(params['missingProperty']);
  return { part, path };
}

/** The word that was given, for the message: `, not \`letters\``. Empty where no text was given. */
function namedWord(given: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], given);
  return typeof value === 'string' ? `, not \`${value.slice(0, MOST_NAMED)}\`` : '';
}

function headerName(lower: string): string {
  return lower.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

function ruleOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => `\`${value}\``).join(', ')}`;
    case 'type':
      return `must be ${Array.isArray(params['type']) ? params['type'].join(' or ') : params['type']}`;
    default:
      return message ?? 'is not valid';
  }
}
