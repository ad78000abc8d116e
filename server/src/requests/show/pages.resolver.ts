import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, Float, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { LinesAsJson } from '../layout/lines-as-json.ts';
import { PageUnit, TextPositions } from '../layout/page-enums.ts';
import { type PageTable, pageTables } from '../layout/page-tables.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';
import { OcrPage } from '../model/ocr-page.ts';
import type { LayoutLoaders } from '../store/layout-loaders.ts';
import { OcrPageList } from './page-list.type.ts';
import type { PageLists } from './page-lists.ts';

const PAGES_PER_PART = 20;

/** Pages of results, and where their text stands. */
@Resolver(() => OcrPage)
export class PagesResolver {
  constructor(
    private readonly lists: PageLists,
    private readonly loaders: (context: Context) => LayoutLoaders,
  ) {}

  @Query(() => OcrPageList, {
    description: 'The pages of a request of the caller’s account; of a large job that runs, those that are finished.',
  })
  ocrPages(
    @Arg('requestId', () => ID, { description: 'Request id.' }) requestId: string,
    @Arg('include', () => [String], {
      nullable: true,
      description:
        'What each page carries beside its text: `pages`, `lines`, `words`, `tables`; by default what is selected of it.',
    })
    include: string[] | null | undefined,
    @Arg('page', () => Int, { defaultValue: 1, description: 'Which part of the pages, from 1.' }) page: number,
    @Arg('perPage', () => Int, { defaultValue: PAGES_PER_PART, description: 'Pages in a part, 1 to 100.' })
    perPage: number,
    @Arg('first', () => Int, { nullable: true, description: 'Instead of `perPage`: how many pages, 1 to 100.' })
    first: number | null | undefined,
    @Arg('after', () => String, {
      nullable: true,
      description: 'Instead of `page`: `endCursor` of the part before, behind which this one begins.',
    })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<OcrPageList> {
    const caller = requireScope(context.caller, 'ocr:read');
    const { hangUp } = context;
    return this.lists.list({ caller, hangUp }, requestId, { include: include ?? null, page, perPage, first, after });
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Width of the page as a viewer shows it, in `unit`; null where the request did not ask for pages.',
  })
  async width(@Root() page: OcrPage, @Ctx() context: Context): Promise<number | null> {
    return (await this.layoutOf(page, context))?.width ?? null;
  }

  @FieldResolver(() => Float, { nullable: true, description: 'Height of the page, in `unit`.' })
  async height(@Root() page: OcrPage, @Ctx() context: Context): Promise<number | null> {
    return (await this.layoutOf(page, context))?.height ?? null;
  }

  @FieldResolver(() => PageUnit, { nullable: true, description: 'What `width` and `height` are counted in.' })
  async unit(@Root() page: OcrPage, @Ctx() context: Context): Promise<StoredLayout['unit'] | null> {
    return (await this.layoutOf(page, context))?.unit ?? null;
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Dots per inch: of a PDF’s page those it was drawn at, of a picture those that its file names.',
  })
  async dpi(@Root() page: OcrPage, @Ctx() context: Context): Promise<number | null> {
    return (await this.layoutOf(page, context))?.dpi ?? null;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'By how many degrees, clockwise, the page has to be turned for its text to stand upright.',
  })
  async textAngle(@Root() page: OcrPage, @Ctx() context: Context): Promise<number | null> {
    return (await this.layoutOf(page, context))?.textAngle ?? null;
  }

  @FieldResolver(() => TextPositions, { nullable: true, description: 'What the positions of its text are of.' })
  async positions(@Root() page: OcrPage, @Ctx() context: Context): Promise<StoredLayout['positions'] | null> {
    return (await this.layoutOf(page, context))?.positions ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The engine that found the positions, where another one read the text.',
  })
  async locatedBy(@Root() page: OcrPage, @Ctx() context: Context): Promise<string | null> {
    return (await this.layoutOf(page, context))?.locatedBy ?? null;
  }

  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'Its lines in reading order: `{text, polygon, confidence, block, words: [{text, polygon, confidence, span}]}`. ' +
      'A polygon is x1 y1 … x4 y4 in fractions of the page as shown, from 0 to 1, origin at the top left, clockwise from ' +
      'the corner where the text begins. `span` is from and to in the page’s text, in code points. Null where there are ' +
      'none, and where they were not asked for.',
  })
  async lines(
    @Root() page: OcrPage,
    @Arg('words', () => Boolean, {
      nullable: true,
      description: 'Whether lines have their words; by default where words were asked for.',
    })
    words: boolean | null | undefined,
    @Ctx() context: Context,
  ): Promise<LinesAsJson | null> {
    if (page.shows?.lines === false) return null;
    const lines = page.layout === undefined ? await this.storedLines(page, context) : page.layout?.lines;
    return lines ? new LinesAsJson(lines, { words: words ?? page.shows?.words ?? true }) : null;
  }

  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'Its tables: `{index, span, rows, columns, cells: [{row, column, row_span, column_span, text, header}], polygon}`, ' +
      'counted from 1. `span` is from and to in the page’s text, in code points, where the table stands there as one; ' +
      '`polygon` is where it stands on the page, where the engine tells that. Null where they were not asked for.',
  })
  async tables(@Root() page: OcrPage, @Ctx() context: Context): Promise<PageTable[] | null> {
    if (page.shows?.tables === false) return null;
    if (page.state !== 'read') return []; // a failed page's text may end within one
    const { requestId, number, layout } = page;
    const told = layout === undefined ? await this.loaders(context).tables.load({ requestId, number }) : layout?.tables;
    return pageTables(page.text, told, context.caller?.accountId ?? '');
  }

  private async layoutOf(page: OcrPage, context: Context): Promise<StoredLayout | null> {
    if (page.layout !== undefined) return page.layout;
    return (await this.loaders(context).layouts.load(page.requestId)).get(page.number) ?? null;
  }

  private storedLines({ requestId, number }: OcrPage, context: Context) {
    return this.loaders(context).lines.load({ requestId, number });
  }
}
