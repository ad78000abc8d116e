interface Failure {
  readonly message: string;
  readonly networkError?: Error | undefined;
  readonly graphQLErrors?: ReadonlyArray<{ readonly message: string }> | undefined;
}

/** Where the connection failed: the browser's own words for it are no sentence, and differ by browser. */
export const NO_ANSWER = 'The service did not answer. Check your connection and try again.';

/** What to tell people of a failed operation: the service's own sentences, else what the connection said. */
export function failureText(failure: Failure): string {
  const said = (failure.graphQLErrors ?? []).map((error) => error.message);
  if (said.length > 0) return [...new Set(said)].join(' ');
  if (failure.networkError instanceof TypeError) return NO_ANSWER;
  return failure.networkError?.message || failure.message;
}

/** The code of the service's first error, such as `not_found`. */
export function failureCode(failure: {
  readonly graphQLErrors?: ReadonlyArray<{ readonly extensions?: Record<string, unknown> }> | undefined;
}): string | undefined {
  const code = failure.graphQLErrors?.[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : undefined;
}
