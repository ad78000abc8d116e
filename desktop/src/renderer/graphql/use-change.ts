import { notifications } from '@mantine/notifications';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useCallback } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';

interface Change<Data> {
  /** What to show when it is done. */
  readonly done: (data: Data) => string;
}

/** A mutation that shows how it ended: true when it was done. */
export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { done }: Change<Data>,
): { readonly running: boolean; readonly run: (variables: Variables) => Promise<boolean> } {
  const { run: mutate, running } = useMutation(document, showFailure);
  const run = useCallback(
    async (variables: Variables): Promise<boolean> => {
      const data = await mutate(variables);
      if (data !== null) notifications.show({ message: done(data) });
      return data !== null;
    },
    [mutate, done],
  );
  return { running, run };
}

/** For a mutation whose answer is needed: why it was not done. */
export function showFailure(message: string): void {
  notifications.show({ color: 'red', title: 'Not done', message });
}
