import { Field, ObjectType } from 'type-graphql';
import { PageInfo } from '../database/page-info.type.ts';
import { OcrRequest } from './ocr-request.ts';

@ObjectType({ description: 'One page of requests, newest first.', simpleResolvers: true })
export class RequestPage {
  @Field(() => [OcrRequest], { description: 'The requests. Lists carry no text: `request` does.' })
  nodes!: OcrRequest[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
