import type { GraphQLResolveInfo } from 'graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Query, Resolver, Root } from 'type-graphql';
import { isOperator, readAccount } from '../../accounts/callers/account-scope.ts';
import { type Caller, requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { LedgerTransfer } from '../../billing/ledger-transfer.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '../../database/paging/page-size.ts';
import { traceIdOf } from '../../platform/tracing/spans.ts';
import { Delivery } from '../../webhooks/delivery.ts';
import { shownDelivery } from '../../webhooks/shown-delivery.ts';
import { RequestFilter } from '../list/request-filter.input.ts';
import { type RequestList, SLOWEST_AMONG } from '../list/request-list.ts';
import { RequestPage } from '../list/request-page.type.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { RequestLoaders } from '../store/request-loaders.ts';
import type { WallTimes } from '../times/wall-times.type.ts';
import { listedTo } from './hidden-texts.ts';
import type { RequestView } from './request-view.ts';
import { selectedFields } from './selected-fields.ts';
import { shownRequest } from './shown-request.ts';
import { timelineOf } from './timeline.ts';
import { TimelineEvent } from './timeline.type.ts';

/** Requests as people look at them: in lists, and one with everything that happened to it. */
@Resolver(() => OcrRequest)
export class RequestDetailsResolver {
  constructor(
    private readonly list: RequestList,
    private readonly view: RequestView,
    private readonly loaders: (context: Context) => RequestLoaders,
  ) {}

  @Query(() => RequestPage, {
    description: 'Requests, newest first: the caller’s own, or for operators those of any account.',
  })
  requests(
    @Arg('filter', () => RequestFilter, { nullable: true, description: 'Which ones; all of them when absent.' })
    filter: RequestFilter | null | undefined,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Requests on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' })
    after: string | null | undefined,
    @Ctx() { caller }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RequestPage> {
    return this.list.page(listedAccount(caller, filter ?? {}), filter ?? {}, {
      size: pageSize(first),
      after: after ?? null,
      shown: selectedFields(info),
      party: isOperator(caller) ? null : (caller?.accountId ?? null),
      listed: listedTo(caller),
    });
  }

  @Query(() => [OcrRequest], {
    description:
      `Requests that have ended, the one that took longest from acceptance to end first: among the newest ` +
      `${SLOWEST_AMONG.toLocaleString('en-US')} that the filter wants; operators only.`,
  })
  slowestRequests(
    @Arg('filter', () => RequestFilter, { nullable: true, description: 'Which ones; all of them when absent.' })
    filter: RequestFilter | null | undefined,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'How many, 1 to 100.' }) first: number,
    @Ctx() { caller }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OcrRequest[]> {
    requireScope(caller, 'operator');
    return this.list.slowest(listedAccount(caller, filter ?? {}), filter ?? {}, {
      size: pageSize(first),
      shown: selectedFields(info),
      listed: listedTo(caller),
    });
  }

  @Query(() => OcrRequest, {
    description:
      'One request: of the caller’s account, or for operators of any. Texts are shown to the account that sent it, ' +
      'where they were retained.',
  })
  request(
    @Arg('id', () => ID, { description: 'Request id, `ocr_…`.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<OcrRequest> {
    return this.view.read(caller, id);
  }

  @FieldResolver(() => [TimelineEvent], { description: 'What happened to it, oldest first.' })
  async timeline(@Root() request: OcrRequest, @Ctx() context: Context): Promise<TimelineEvent[]> {
    const { attempts, deliveries } = this.loaders(context);
    return timelineOf(request, ...(await Promise.all([attempts.load(request.id), deliveries.load(request.id)])));
  }

  @FieldResolver()
  async wallTimes(@Root() request: OcrRequest, @Ctx() context: Context): Promise<WallTimes | null> {
    return request.wallTimes ?? (isRunningJob(request) ? this.loaders(context).timesSoFar.load(request.id) : null);
  }

  @FieldResolver()
  async documentMs(@Root() request: OcrRequest, @Ctx() context: Context): Promise<number | null> {
    if (request.documentMs !== null || !isRunningJob(request)) return request.documentMs;
    return (await this.loaders(context).timesSoFar.load(request.id))?.documentMs ?? null;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Label of the key that it was sent with.' })
  async keyLabel(@Root() request: OcrRequest, @Ctx() context: Context): Promise<string | null> {
    return request.keyId === null ? null : this.loaders(context).keyLabels.load(request.keyId);
  }

  @FieldResolver(() => String, { nullable: true, description: 'E-mail address of its account.' })
  accountEmail(@Root() request: OcrRequest, @Ctx() context: Context): Promise<string | null> {
    return this.loaders(context).emails.load(request.accountId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Id of its trace (OpenTelemetry), for operators; null where it was not traced.',
  })
  traceId(@Root() { trace }: OcrRequest, @Ctx() { caller }: Context): string | null {
    return trace !== null && isOperator(caller) ? traceIdOf(trace) : null;
  }

  @FieldResolver(() => GraphQLJSONObject, {
    description:
      'The request as it was understood, without the document; for operators of another account without the query of ' +
      'its URLs and without native settings.',
  })
  understood(@Root() request: OcrRequest, @Ctx() { caller }: Context): Record<string, unknown> {
    return shownRequest(request.effective, caller?.accountId === request.accountId);
  }

  @FieldResolver(() => [LedgerTransfer], { description: 'The money that moved for it, in order.' })
  transfers(@Root() request: OcrRequest, @Ctx() context: Context): Promise<LedgerTransfer[]> {
    return this.loaders(context).transfers.load(request.id);
  }

  @FieldResolver(() => [Delivery], {
    description:
      'The attempts to deliver its webhook, oldest first; their bodies are shown as its texts are, and their URL as in `understood`.',
  })
  async deliveries(@Root() request: OcrRequest, @Ctx() context: Context): Promise<Delivery[]> {
    const deliveries = await this.loaders(context).deliveries.load(request.id);
    return deliveries.map((delivery) => shownDelivery(context.caller, delivery));
  }
}

/** The pages of large jobs alone are stored while they run. */
function isRunningJob({ jobId, isFinished }: OcrRequest): boolean {
  return jobId !== null && !isFinished;
}

/** Null: those of every account. */
function listedAccount(caller: Caller | null, { accountId, allAccounts }: RequestFilter): string | null {
  if (allAccounts && accountId == null) {
    requireScope(caller, 'operator');
    return null;
  }
  return readAccount(caller, 'ocr:read', accountId);
}
