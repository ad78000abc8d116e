import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { OcrJob, PageFailure } from './job.type.ts';
import type { Jobs } from './jobs.ts';
import type { Results } from './results.ts';
import { shownText } from './selected-fields.ts';

@Resolver(() => OcrRequest)
export class JobsResolver {
  constructor(
    private readonly jobs: Jobs,
    private readonly results: Results,
  ) {}

  @Query(() => OcrJob, { description: 'Progress of a large PDF job.' })
  async ocrJob(@Arg('id', () => ID, { description: 'Job id.' }) id: string, @Ctx() context: Context): Promise<OcrJob> {
    return this.jobs.progress(await this.jobs.request(requireScope(context.caller, 'ocr:read'), id));
  }

  @Query(() => OcrRequest, { description: 'Result of a large PDF job.' })
  async ocrJobResult(
    @Arg('id', () => ID, { description: 'Job id.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OcrRequest> {
    const caller = requireScope(context.caller, 'ocr:read');
    return this.results.read(caller, (await this.jobs.request(caller, id)).id, { text: shownText(info) });
  }

  @FieldResolver(() => OcrJob, { nullable: true, description: 'The job that a large PDF became.' })
  job(@Root() request: OcrRequest): Promise<OcrJob> | null {
    return request.jobId === null ? null : this.jobs.progress(request);
  }

  @FieldResolver(() => [PageFailure], {
    nullable: true,
    description: 'Pages of a large job that could not be read; null when there are none.',
  })
  pagesFailed(@Root() request: OcrRequest): Promise<PageFailure[] | null> | null {
    const hasNone = request.jobId === null || request.pageRows?.length === 0;
    return hasNone ? null : this.jobs.failures(request);
  }
}
