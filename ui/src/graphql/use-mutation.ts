import { useCallback, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation as useUrqlMutation } from 'urql';
import { failureText } from './failure-text.ts';

export interface Mutation<Data, Variables> {
  /** The answer; null when the service refused, and `failure` then says why. */
  readonly run: (variables: Variables) => Promise<Data | null>;
  readonly running: boolean;
  readonly failure: string | null;
  readonly forget: () => void;
}

/** A mutation with what people must see of it: that it runs, and why it failed. Keep `onFailure` outside the component. */
export function useMutation<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  onFailure?: (failure: string) => void,
): Mutation<Data, Variables> {
  const [{ fetching }, execute] = useUrqlMutation(document);
  const [failure, setFailure] = useState<string | null>(null);
  const run = useCallback(
    async (variables: Variables) => {
      setFailure(null);
      const { data, error } = await execute(variables);
      if (data && !error) return data;
      const words = error ? failureText(error) : 'No answer.';
      setFailure(words);
      onFailure?.(words);
      return null;
    },
    [execute, onFailure],
  );
  return { run, running: fetching, failure, forget: useCallback(() => setFailure(null), []) };
}
