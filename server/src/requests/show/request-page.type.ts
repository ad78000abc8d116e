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
}
