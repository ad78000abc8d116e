import { notifications } from '@mantine/notifications';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useCallback } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';

interface Change<Data> {
  /** What to tell when it is done. */
  readonly done: (data: Data) => string;
}

/** A mutation that tells how it ended: true when it was done. */
export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { done }: Change<Data>,
): { readonly running: boolean; readonly run: (variables: Variables) => Promise<boolean> } {
  const [{ fetching }, mutate] = useMutation(document);
  const run = useCallback(
    async (variables: Variables): Promise<boolean> => {
      const { data, error } = await mutate(variables);
      if (error || !data) {
        notifications.show({ color: 'red', title: 'Not done', message: error ? failureText(error) : 'No answer.' });
        return false;
      }
      notifications.show({ message: done(data) });
      return true;
    },
    [mutate, done],
  );
  return { running: fetching, run };
}
