import { notifications } from '@mantine/notifications';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useCallback } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';

/** A mutation for those who need its answer; tells why it was not done, and answers null then. */
export function useAnswer<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): (variables: Variables) => Promise<Data | null> {
  const client = useClient();
  return useCallback(
    async (variables: Variables) => {
      const { data, error } = await client.mutation(document, variables).toPromise();
      if (data && !error) return data;
      notifications.show({ color: 'red', title: 'Not done', message: error ? failureText(error) : 'No answer.' });
      return null;
    },
    [client, document],
  );
}
