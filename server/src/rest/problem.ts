import type { ErrorObject } from 'ajv';
import { AppError } from '../errors.ts';

/** The first broken rule of a request as an error that names the field. */
export function describeProblem(errors: readonly ErrorObject[]): AppError {
  const [error] = errors;
  if (!error) return new AppError('invalid_request', 'The request breaks the contract.');
  return new AppError('invalid_request', `${fieldOf(error)}: ${ruleOf(error)}.`);
}

/** `/requestBody/settings/dpi` as `settings.dpi`; `/header` with a missing name as that header. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [place, ...rest] = parts;
  if (keyword === 'required' && typeof params['missingProperty'] === 'string') rest.push(params['missingProperty']);
  if (place === 'header' || place === 'headers') return `header ${headerName(rest.join('.'))}`;
  const name = rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  return name.replace(/^\./, '') || 'body';
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
