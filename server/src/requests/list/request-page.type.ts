import { Field, ObjectType } from 'type-graphql';
import { type Edge, edgeType } from '../../database/paging/edge.type.ts';
import { PageInfo } from '../../database/paging/page-info.type.ts';
import { OcrRequest } from '../model/ocr-request.ts';

const RequestEdge = edgeType('RequestEdge', OcrRequest);

@ObjectType({ description: 'One page of requests, newest first.', simpleResolvers: true })
export class RequestPage {
  @Field(() => [OcrRequest], { description: 'The requests. Lists carry no text: `request` does.' })
  nodes!: OcrRequest[];

  @Field(() => [RequestEdge], { description: 'The same, each with its cursor.' })
  edges!: Edge<OcrRequest>[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;

  @Field(() => Date, {
    nullable: true,
    description:
      'With `filter.text`: so many requests were looked at (100,000) that the search has stopped before the page was full. When the last one was ' +
      'accepted that it has looked at; `pageInfo.endCursor` goes on from there, also of an empty page. Null for a page that is full, and where all were looked at.',
  })
  searchedTo!: Date | null;
}
