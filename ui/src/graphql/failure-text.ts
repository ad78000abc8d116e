interface Failure {
  readonly message: string;
  readonly networkError?: Error | undefined;
  readonly graphQLErrors?: ReadonlyArray<{ readonly message: string }> | undefined;
}

/** What to tell people of a failed operation: the service's own sentences, else what the connection said. */
export function failureText(failure: Failure): string {
  const said = (failure.graphQLErrors ?? []).map((error) => error.message);
  if (said.length > 0) return [...new Set(said)].join(' ');
  // The browser's own words for it are no sentence, and differ by browser.
  if (failure.networkError instanceof TypeError)
    return 'The service did not answer. Check your connection and try again.';
  return failure.networkError?.message || failure.message;
}

/** The code of the service's first error, such as `not_found`. */
export function failureCode(failure: {
  readonly graphQLErrors?: ReadonlyArray<{ readonly extensions?: Record<string, unknown> }> | undefined;
}): string | undefined {
  const code = failure.graphQLErrors?.[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : undefined;
}
