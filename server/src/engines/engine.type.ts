import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../database/paging/node.type.ts';
import { enumType } from '../platform/enum-type.ts';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';
import type { Benchmark, Engine } from './model/engine.ts';

const EngineStatus = enumType<Engine['status']>('EngineStatus', 'Whether an engine can be used.', {
  available: 'It takes requests, unless there is an obstacle.',
  coming_soon: 'Nobody can use it yet.',
});

const PictureInput = enumType<Engine['supports'][number]>('PictureInput', 'A way of sending a picture.', {
  image_url: 'By its URL.',
  image_base64: 'As base64 data.',
});

@ObjectType('Benchmark', { description: 'Measured accuracy, 0 to 100.', simpleResolvers: true })
class BenchmarkType implements Benchmark {
  @Field(() => Float, { description: 'Score on hard documents.' })
  hardScore!: number;

  @Field(() => Float, { description: 'Score on easy documents.' })
  easyScore!: number;

  @Field(() => [Float], { nullable: true, description: '95 % confidence interval of the hard score: low, high.' })
  ci!: readonly [number, number] | null;

  @Field(() => String, { description: 'Date of the run, ISO 8601.' })
  measuredAt!: string;
}

@ObjectType('Engine', { description: 'An OCR engine of the catalogue.', implements: Node, simpleResolvers: true })
export class EngineType implements Pick<Engine, 'id' | 'name' | 'provider' | 'pricePerPage' | 'status'> {
  @Field(() => ID, { description: 'Engine id, as requests name it.' })
  id!: string;

  @Field(() => String, { description: 'Human-readable name.' })
  name!: string;

  @Field(() => String, { description: 'Who runs the engine; `local` for engines on the service’s own machines.' })
  provider!: string;

  @Field(() => UsdScalar, { description: 'Price of a page in USD; of token-priced engines, the amount reserved.' })
  pricePerPage!: NanoUsd;

  @Field(() => EngineStatus, { description: 'Whether it can be used.' })
  status!: Engine['status'];

  @Field(() => BenchmarkType, { nullable: true, description: 'Measured accuracy; null when not measured.' })
  benchmark!: Benchmark | null;

  @Field(() => Boolean, { description: 'Recommended as a default.' })
  recommended!: boolean;

  @Field(() => [String], { description: 'Input types (`url`, `base64`) and formats accepted.' })
  accepts!: readonly string[];

  @Field(() => Int, { description: 'Most pages in one request.' })
  maxPagesPerRequest!: number;

  @Field(() => Boolean, { description: 'Whether the provider reads PDFs itself.' })
  nativePdf!: boolean;

  @Field(() => [PictureInput], { description: 'How it takes pictures.' })
  supports!: Engine['supports'];

  @Field(() => [String], { description: 'What the engine is good at.' })
  strengths!: readonly string[];
}
