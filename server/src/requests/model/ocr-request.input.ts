import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, Float, InputType, Int } from 'type-graphql';

@InputType({ description: 'The document: a public URL, or base64 data.' })
export class OcrInput {
  @Field(() => String, { description: '`url` or `base64`.' })
  type!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Public http or https URL of a picture or a PDF, for type `url`.',
  })
  url?: string;

  @Field(() => String, { nullable: true, description: 'Raw base64 without a data: prefix, for type `base64`.' })
  dataBase64?: string;

  @Field(() => String, { nullable: true, description: 'MIME type hint, for example `image/png`.' })
  mimeType?: string;
}

@InputType({ description: 'Older spelling of some settings; `settings` wins.' })
export class OcrOptions {
  @Field(() => [String], { nullable: true, description: 'Three-letter language hints.' })
  languageHints?: string[];

  @Field(() => Boolean, { nullable: true, description: 'Table detection where the engine supports it.' })
  detectTables?: boolean;
}

@InputType({ description: 'Unified settings, mapped to the words of each engine.' })
export class OcrSettings {
  @Field(() => String, { nullable: true, description: 'ISO language code; `en` by default.' })
  language?: string;

  @Field(() => Int, { nullable: true, description: 'Resolution of rendered pages, 72 to 1200 dots per inch.' })
  dpi?: number;

  @Field(() => String, { nullable: true, description: 'Pages to read, such as `1-3,5`.' })
  pageRange?: string;

  @Field(() => Boolean, { nullable: true, description: 'Table detection where the engine supports it.' })
  detectTables?: boolean;

  @Field(() => String, {
    nullable: true,
    description: '`auto` (default) prepares pages so that they read better, `off` leaves them as they are.',
  })
  preprocess?: string;
}

@InputType({ description: 'A document to read and how to read it.' })
export class OcrRequestInput {
  @Field(() => String, { description: 'Engine id of the catalogue.' })
  engine!: string;

  @Field(() => OcrInput, { description: 'The document.' })
  input!: OcrInput;

  @Field(() => OcrOptions, { nullable: true, description: 'Older spelling of some settings.' })
  options?: OcrOptions;

  @Field(() => OcrSettings, { nullable: true, description: 'Unified settings.' })
  settings?: OcrSettings;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Parameters of the engine itself, which win; those that it does not take from callers are ignored with a warning.',
  })
  nativeSettings?: Record<string, unknown>;

  @Field(() => String, { nullable: true, description: 'Engine for the scanned pages of a PDF.' })
  fallbackEngine?: string;

  @Field(() => String, { nullable: true, description: '`skip`, `fallback` or `error`, for scanned pages of a PDF.' })
  scannedHandling?: string;

  @Field(() => String, { nullable: true, description: '`similar` for one retry on a comparable engine, or `off`.' })
  fallback?: string;

  @Field(() => String, { nullable: true, description: '`sync` (default) or `async`.' })
  mode?: string;

  @Field(() => String, { nullable: true, description: 'URL that receives the result of an asynchronous request.' })
  webhookUrl?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether what is read may be kept, where the account keeps history; true when absent.',
  })
  store?: boolean;

  @Field(() => Int, { nullable: true, description: 'Pages to process; 1 by default.' })
  pageCount?: number;

  @Field(() => String, { nullable: true, description: '`json` (default), `text` or `markdown`.' })
  outputFormat?: string;

  @Field(() => Float, {
    nullable: true,
    description: 'The most that the request may cost, in USD. What cannot be kept within it is not begun.',
  })
  maxCostUsd?: number | null;
  @Field(() => [String], {
    nullable: true,
    description:
      'What the result carries beside its text: `pages`, `lines` with their positions, `words` with theirs, `tables`. Each holds ' +
      'those before it.',
  })
  include?: string[];
}
