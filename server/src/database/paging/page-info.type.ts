import { Field, ObjectType } from 'type-graphql';
import type { Edge } from './edge.type.ts';

@ObjectType({ description: 'Where a page stands in its list.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is more behind this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description: 'Whether this page was asked for by `after`: what is before it was on another one.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'What `after` takes for the next page; null on an empty page.' })
  endCursor!: string | null;
}

/** The page that a caller asks for. */
export interface PageWish {
  readonly size: number;
  /** The cursor of the last item of the page before; null for the first page. */
  readonly after: string | null;
}

/** Cuts rows, of which one more than the page has was read, down to the page. */
export function cutPage<Row>(rows: readonly Row[], { size, after }: PageWish, cursorOf: (row: Row) => string) {
  const nodes = rows.slice(0, size);
  const edges = nodes.map((node): Edge<Row> => ({ cursor: cursorOf(node), node }));
  const pageInfo: PageInfo = {
    hasNextPage: rows.length > size,
    hasPreviousPage: after !== null,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { nodes, edges, pageInfo };
}
