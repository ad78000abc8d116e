import { z } from 'zod';

/** The settings of the environment by which spans are sent; named as every OpenTelemetry SDK names them. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('OpenTelemetry collector (OTLP over HTTP) that spans are sent to; none are made without it.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,=]+(?:,[\w-]+=[^,=]+)*$/, 'must be `name=value`, several of them with commas between')
    .optional()
    .describe('Headers for it, as `name=value`, with commas between.'),
  OTEL_SERVICE_NAME: z.string().default('ocr-router').describe('What this service is called in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of calls that are traced, 0 to 1; none whose `traceparent` says that it is not.'),
};

export interface TracingConfig {
  readonly endpoint: string;
  /** As `name=value`, with commas between. */
  readonly headers: string | null;
  readonly serviceName: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** Null where no collector is named. */
export function tracingConfig(settings: z.infer<z.ZodObject<typeof tracingSettings>>): TracingConfig | null {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? null,
    serviceName: settings.OTEL_SERVICE_NAME,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}
