import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../database/paging/page-info.type.ts';
import { OcrPage } from '../model/ocr-page.ts';
import { RequestStatus } from '../model/request-enums.ts';

@ObjectType({ description: 'A part of the pages of a request, in order.', simpleResolvers: true })
export class OcrPageList {
  @Field(() => ID, { description: 'The request.' })
  requestId!: string;

  @Field(() => RequestStatus, { description: 'Its state: while it is `processing`, pages may follow.' })
  status!: RequestStatus;

  @Field(() => [OcrPage], { description: 'The pages; of a large job that runs, those that are finished.' })
  data!: readonly OcrPage[];

  @Field(() => [OcrPage], { description: 'The same pages, as other lists call them.' })
  nodes!: readonly OcrPage[];

  @Field(() => PageInfo, { description: 'Where the part stands in the list.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'Which part of the pages it is, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Pages in a part.' })
  perPage!: number;

  @Field(() => Int, { description: 'Pages there are.' })
  total!: number;
}
