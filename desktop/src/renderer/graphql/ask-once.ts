import { failureCode, failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { RateLimited, type ReadPage } from './read-all.ts';
import { uncached } from './uncached.ts';

/** What one question of a reading answers. Its failure is the service's own sentence. */
export async function askOnce<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await uncached.query(document, variables).toPromise();
  if (error) throw new (failureCode(error) === 'rate_limited' ? RateLimited : Error)(failureText(error));
  if (!data) throw new Error('The gateway sent no answer.');
  return data;
}

interface Connection<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly endCursor?: string | null; readonly hasNextPage: boolean };
}

/** A page of a GraphQL connection. */
export function connectionPage<Row>({ nodes, pageInfo }: Connection<Row>): ReadPage<Row> {
  return { rows: nodes, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
}
