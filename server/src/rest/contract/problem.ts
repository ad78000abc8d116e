import type { ErrorObject } from 'ajv';
import { AppError, type BrokenRule } from '../../platform/errors.ts';

/** The first broken rule of a request as an error that names the field. */
export function describeProblem(errors: readonly ErrorObject[]): AppError {
  const [error] = errors;
  if (!error) return new AppError('invalid_request', 'The request breaks the contract.');
  const { part, path } = placeOf(error);
  const rule = ruleOf(error);
  if (part === 'header' || part === 'headers') {
    return new AppError('invalid_request', `header ${headerName(path.join('.'))}: ${rule}.`);
  }
  const broken = { path, rule };
  return new AppError('invalid_request', sentenceOf(broken), part === 'requestBody' ? { brokenRule: broken } : {});
}

/** `settings.dpi: must be integer.` */
export function sentenceOf({ path, rule }: BrokenRule): string {
  const name = path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('');
  return `${name.replace(/^\./, '') || 'body'}: ${rule}.`;
}

/** `/requestBody/settings/dpi` is `settings`, `dpi` in the part `requestBody`; what is missing belongs to the path. */
function placeOf({ instancePath, keyword, params }: ErrorObject): { part: string | undefined; path: string[] } {
  const [part, ...path] = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required' && typeof params['missingProperty'] === 'string') path.push(params['missingProperty']);
  return { part, path };
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
