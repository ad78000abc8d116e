import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../accounts/callers/context.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { availableOutputs } from './available-outputs.ts';
import { Output } from './output.type.ts';
import type { ReadFacts, ReadPages } from './read-pages.ts';

/** Which files can be made of requests. */
@Resolver(() => OcrRequest)
export class OutputsResolver {
  private readonly facts = new WeakMap<Context, DataLoader<string, ReadFacts | undefined>>();

  constructor(private readonly pages: ReadPages) {}

  @FieldResolver(() => [Output], { description: 'The files that can be made of it, and why not the others.' })
  async outputs(@Root() request: OcrRequest, @Ctx() context: Context): Promise<Output[]> {
    return availableOutputs(request, request.isFinished ? await this.loader(context).load(request.id) : undefined);
  }

  private loader(context: Context): DataLoader<string, ReadFacts | undefined> {
    const known = this.facts.get(context);
    if (known) return known;
    const loader = new DataLoader<string, ReadFacts | undefined>(async (ids) => {
      const found = await this.pages.facts(ids);
      return ids.map((id) => found.get(id));
    });
    this.facts.set(context, loader);
    return loader;
  }
}
