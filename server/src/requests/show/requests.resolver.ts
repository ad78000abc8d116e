import { type GraphQLResolveInfo, Kind } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { isOperator } from '../../accounts/callers/account-scope.ts';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { forgetLongTexts } from '../../platform/memory/forget-long-texts.ts';
import { within } from '../../platform/numbers/require-range.ts';
import { Attempt } from '../model/attempt.ts';
import { OcrPage } from '../model/ocr-page.ts';
import { OcrRequestInput } from '../model/ocr-request.input.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { OutputFormat } from '../model/request-enums.ts';
import { retainedUntil } from '../model/retained-until.ts';
import type { IncludedPages } from '../store/included-pages.ts';
import type { RequestLoaders } from '../store/request-loaders.ts';
import { withoutText } from '../store/shown-page.ts';
import type { Submissions } from '../submit/submit.ts';
import { plainVariant, renderedBody } from './rendered-body.ts';
import type { Results } from './results.ts';
import { shownText } from './selected-fields.ts';

const MOST_PAGES = 500;

@Resolver(() => OcrRequest)
export class RequestsResolver {
  constructor(
    private readonly submissions: Submissions,
    private readonly results: Results,
    private readonly loaders: (context: Context) => RequestLoaders,
    private readonly included: IncludedPages,
  ) {}

  @Mutation(() => OcrRequest, { description: 'Sends a document for text extraction and waits for its outcome.' })
  submitOcr(
    @Arg('request', () => OcrRequestInput, { description: 'The document and how to read it.' }) input: OcrRequestInput,
    @Arg('idempotencyKey', () => String, { description: 'One key a request: the same key and request run once.' })
    idempotencyKey: string,
    @Arg('unknownFields', () => [String], { nullable: true, description: 'Names of fields to warn about.' })
    unknownFields: string[] | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OcrRequest> {
    const caller = requireScope(context.caller, 'ocr:write');
    const { hangUp, sentDocuments } = context;
    const onRequest = (id: string) => {
      if (isAlone(info)) forgetLongTexts(info.variableValues); // what was sent is read by now
      context.onRequest?.(id);
    };
    const submission = { input, idempotencyKey, unknownFields: unknownFields ?? [], onRequest, hangUp, sentDocuments };
    return this.submissions.submit(caller, submission);
  }

  @Query(() => OcrRequest, { description: 'One request of the caller’s account.' })
  ocrRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OcrRequest> {
    return this.results.read(requireScope(context.caller, 'ocr:read'), id, { text: shownText(info) });
  }

  @Query(() => OcrRequest, {
    description: 'One request of the caller’s account, as its webhook tells it: without text where none was retained.',
  })
  ocrOutcome(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OcrRequest> {
    return this.results.outcome(requireScope(context.caller, 'ocr:read'), id, { text: shownText(info) });
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Plain-text conversion, where it differs from the text.',
  })
  extractedTextPlain(@Root() request: OcrRequest): string | null | Promise<string | null> {
    return plainVariant(request);
  }

  @FieldResolver(() => String, { nullable: true, description: 'The body of an answer that is not JSON.' })
  renderedBody(@Root() request: OcrRequest): string | null | Promise<string> {
    return renderedBody(request);
  }

  @FieldResolver(() => OutputFormat, { description: 'Shape of the answer over REST.' })
  outputFormat(@Root() request: OcrRequest): OutputFormat {
    return request.effective.outputFormat;
  }

  @FieldResolver(() => Boolean, { description: 'Whether this answer repeats the outcome of an earlier call.' })
  replayed(@Root() request: OcrRequest): boolean {
    return request.replayed;
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'Until when what was read is kept; null where it is kept for ever, or not at all.',
  })
  retainedUntil(@Root() request: OcrRequest, @Ctx() { caller }: Context): Date | null {
    return retainedUntil(request, caller);
  }

  @FieldResolver(() => [OcrPage], { description: 'The pages of the result, in order.' })
  async pageResults(
    @Root() request: OcrRequest,
    @Arg('first', () => Int, { nullable: true, description: 'So many of them, 1 to 500; all when absent.' })
    first: number | null | undefined,
    @Arg('after', () => Int, { defaultValue: 0, description: 'Number of the page that comes before; for `first`.' })
    after: number,
    @Ctx() context: Context,
  ): Promise<OcrPage[]> {
    const { pages: all, pagesAfter } = this.loaders(context);
    const pages = await (first == null ? all : pagesAfter(after, within('first', first, MOST_PAGES))).load(request.id);
    const isOwn = context.caller?.accountId === request.accountId;
    return isOwn && !request.hidesText ? pages : pages.map(withoutText);
  }

  @FieldResolver(() => [OcrPage], {
    nullable: true,
    description: 'The pages of the result, in order, with what `include` asked for; null where it asked for nothing.',
  })
  includedPages(@Root() request: OcrRequest, @Ctx() context: Context): Promise<OcrPage[] | null> {
    return this.included.of(request, context);
  }

  @FieldResolver(() => [Attempt], { description: 'The runs on engines, in order.' })
  async attempts(@Root() request: OcrRequest, @Ctx() context: Context): Promise<Attempt[]> {
    const attempts = await this.loaders(context).attempts.load(request.id);
    return isOperator(context.caller) ? attempts : attempts.map((attempt) => attempt.forCaller(request));
  }
}

/** Whether no other field of the operation can need its variables. */
function isAlone({ operation }: GraphQLResolveInfo): boolean {
  const [first, ...others] = operation.selectionSet.selections;
  return first?.kind === Kind.FIELD && others.length === 0;
}
