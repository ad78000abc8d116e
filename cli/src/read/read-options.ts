import type { ReadOptions } from '@ocr-router/client';
import type { GatewayOptions } from './gateway.ts';
import { type Format, includeFor, outputPaths } from './outputs.ts';

/** The options of `read`. */
export interface Options extends GatewayOptions {
  readonly engine: string;
  readonly fallbackEngine?: string;
  readonly language?: string;
  readonly format: Format[];
  readonly pdf: boolean;
  readonly out?: string;
  readonly recursive: boolean;
  readonly concurrency: number;
  readonly maxCost?: number;
  readonly maxPages: number;
  readonly resume: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** What the gateway is asked for. */
export function wishOf({ engine, fallbackEngine, language, ...options }: Options): ReadOptions {
  const include = includeFor(formatsOf(options));
  return {
    engine,
    ...(fallbackEngine && { fallback_engine: fallbackEngine }),
    ...(language && { settings: { language } }),
    ...(include.length > 0 && { include }),
  };
}

function formatsOf({ format, pdf }: Pick<Options, 'format' | 'pdf'>): Format[] {
  return pdf ? [...new Set([...format, 'pdf' as const])] : format;
}

/** Where the outputs of a file are put. */
export function pathsOf(file: string, options: Options) {
  return outputPaths(file, formatsOf(options), options.out ?? null);
}
