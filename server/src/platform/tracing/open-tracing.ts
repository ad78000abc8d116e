import { SpanSender } from './span-sender.ts';
import { setTracing } from './spans.ts';
import type { TracingConfig } from './tracing-settings.ts';

/** How long the last spans may take to leave at a stop. */
const LAST_EXPORT_MS = 2000;

/**
 * Sends spans to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT` by OTLP over HTTP; nothing of it is even loaded without
 * that setting. A collector that is slow or away delays no request.
 */
export async function openTracing(tracing: TracingConfig | null, version: string): Promise<AsyncDisposable> {
  if (!tracing) return { [Symbol.asyncDispose]: async () => undefined };
  const [api, core, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
  ]);
  // Of callers, too: who sends `traceparent` decides where its trace goes on, not how many spans are made here.
  const share = new sdk.TraceIdRatioBasedSampler(tracing.share);
  const propagator = new core.W3CTraceContextPropagator();
  const { ROOT_CONTEXT, defaultTextMapGetter, trace } = api;
  const sender = new SpanSender({
    url: `${tracing.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: core.parseKeyPairsIntoRecord(tracing.headers ?? ''),
    origin: { 'service.name': tracing.serviceName, 'service.version': version },
  });
  setTracing({
    record: (span) => sender.add(span),
    isInShare: (id) =>
      tracing.share === 1 ||
      share.shouldSample(ROOT_CONTEXT, id.digits).decision === sdk.SamplingDecision.RECORD_AND_SAMPLED,
    extract: (headers) => trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)),
  });
  return {
    async [Symbol.asyncDispose]() {
      await sender.close(LAST_EXPORT_MS);
      setTracing(null);
    },
  };
}
