import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useCallback, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';

interface Change<Data, Variables> {
  /** The answer; null when the service refused, and `failure` then says why. */
  readonly run: (variables: Variables) => Promise<Data | null>;
  readonly busy: boolean;
  readonly failure: string | null;
  readonly forget: () => void;
}

/** A mutation with what people must see of it: that it runs, and why it failed. */
export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): Change<Data, Variables> {
  const [{ fetching }, execute] = useMutation(document);
  const [failure, setFailure] = useState<string | null>(null);
  const run = useCallback(
    async (variables: Variables) => {
      setFailure(null);
      const { data, error } = await execute(variables);
      if (error) setFailure(failureText(error));
      return error ? null : (data ?? null);
    },
    [execute],
  );
  return { run, busy: fetching, failure, forget: useCallback(() => setFailure(null), []) };
}
