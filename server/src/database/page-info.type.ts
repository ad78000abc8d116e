import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Where a page stands in its list.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is more behind this page.' })
  hasNextPage!: boolean;

  @Field(() => String, { nullable: true, description: 'What `after` takes for the next page; null on an empty page.' })
  endCursor!: string | null;
}

/** Cuts rows that were read one beyond the page down to the page. */
export function cutPage<Row>(rows: readonly Row[], size: number, cursorOf: (row: Row) => string) {
  const nodes = rows.slice(0, size);
  const last = nodes.at(-1);
  return { nodes, pageInfo: { hasNextPage: rows.length > size, endCursor: last ? cursorOf(last) : null } };
}
