import { Arg, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { requireCaller, requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Availability } from './availability.ts';
import type { Catalogue } from './catalogue.ts';
import { EngineType } from './engine.type.ts';
import type { Engine } from './model/engine.ts';

@ObjectType({ description: 'The operator’s switch of an engine.', simpleResolvers: true })
export class EngineSwitchState {
  @Field(() => String, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => Boolean, { description: 'Whether it takes requests.' })
  enabled!: boolean;
}

@Resolver(() => EngineType)
export class EnginesResolver {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly availability: Availability,
  ) {}

  @Query(() => [EngineType], { description: 'The engine catalogue.' })
  engines(
    @Arg('sort', () => String, { nullable: true, description: '`accuracy`: best hard score first.' })
    sort?: string | null,
  ): readonly Engine[] {
    if (sort == null) return this.catalogue.engines;
    if (sort === 'accuracy') return this.catalogue.byAccuracy();
    throw new AppError('invalid_request', 'sort: must be accuracy.');
  }

  @Query(() => [EngineType], { description: 'The catalogue as a list of models; needs a key.' })
  models(@Ctx() context: Context): readonly Engine[] {
    requireCaller(context.caller);
    return this.catalogue.engines;
  }

  @Query(() => EngineType, { description: 'One engine of the catalogue as a model; needs a key.' })
  model(@Arg('id', () => ID, { description: 'Engine id.' }) id: string, @Ctx() context: Context): Engine {
    requireCaller(context.caller);
    const engine = this.catalogue.find(id);
    if (!engine) throw new AppError('not_found', 'There is no such model.');
    return engine;
  }

  /** Engines are announced by demos alone. */
  @FieldResolver(() => Boolean, {
    description: 'Whether `demo seed` shows it: its figures are invented, and nobody can use it.',
  })
  demo(@Root() engine: Engine): boolean {
    return this.catalogue.isAnnounced(engine);
  }

  @Mutation(() => EngineSwitchState, { description: 'Switches an engine on or off; operators only.' })
  async setEngineEnabled(
    @Arg('id', () => String, { description: 'Engine id.' }) id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether it takes requests.' }) enabled: boolean,
    @Ctx() context: Context,
  ): Promise<EngineSwitchState> {
    requireScope(context.caller, 'operator');
    const engine = this.catalogue.require(id);
    await this.availability.set(engine.id, enabled);
    return { engineId: engine.id, enabled };
  }
}
