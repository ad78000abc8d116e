import { gql as parsed, type TypedDocumentNode } from 'urql';

/** As urql keeps them: with what it knows a document by. */
type Document = TypedDocumentNode & { __key?: number };

/**
 * A GraphQL document by its text. It is parsed when it is first sent: a page that opens needs a few of all that its face has, and the
 * others would cost it time on the processor before anything is drawn.
 */
export function gql(texts: TemplateStringsArray, ...fragments: TypedDocumentNode[]): TypedDocumentNode {
  let document: Document | undefined;
  const parse = (): Document => (document ??= parsed(texts, ...fragments));
  return {
    kind: 'Document' as Document['kind'],
    get definitions() {
      return parse().definitions;
    },
    /** Under this key urql finds the parsed document, and takes that one from then on. */
    get __key() {
      return parse().__key;
    },
  } as Document;
}
