import { type ClassType, Field, ObjectType } from 'type-graphql';

/** A node of a page with its own cursor. */
export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

/** Makes the type of a page's edges, for clients that page by themselves (Relay, Apollo). */
export function edgeType<Node extends object>(name: string, nodeType: ClassType<Node>): ClassType<Edge<Node>> {
  @ObjectType(name, { description: 'An item of a page, and where it stands.', simpleResolvers: true })
  class EdgeType implements Edge<Node> {
    @Field(() => String, { description: 'What `after` takes for the page that begins behind this item.' })
    cursor!: string;

    @Field(() => nodeType, { description: 'The item.' })
    node!: Node;
  }
  return EdgeType;
}
