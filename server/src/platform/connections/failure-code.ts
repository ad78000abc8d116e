/** The code of an error, or of the first error inside it (several addresses are tried side by side); empty where there is none. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return failureCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}
