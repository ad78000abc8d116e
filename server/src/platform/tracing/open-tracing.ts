import { setTracing } from './spans.ts';
import type { TracingConfig } from './tracing-settings.ts';

/** How long the last spans may take to leave at a stop. */
const LAST_EXPORT_MS = 2000;
const EXPORT_MS = 10_000;
/** Between two exports. */
const EVERY_MS = 1000;
/** Spans that wait to be sent; more are dropped, so that a collector that is away costs a bounded space. */
const MOST_WAITING = 4096;

/**
 * Sends spans to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT` by OTLP over HTTP; nothing of it is even loaded without
 * that setting. A collector that is slow or away delays no request.
 */
export async function openTracing(tracing: TracingConfig | null, version: string): Promise<AsyncDisposable> {
  if (!tracing) return { [Symbol.asyncDispose]: async () => undefined };
  const [api, core, exporting, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  const exporter = new exporting.OTLPTraceExporter({
    url: `${tracing.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: core.parseKeyPairsIntoRecord(tracing.headers ?? ''),
    timeoutMillis: EXPORT_MS,
  });
  // Of callers, too: who sends `traceparent` decides where its trace goes on, not how many spans are made here.
  const share = new sdk.TraceIdRatioBasedSampler(tracing.share);
  const processor = new sdk.BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_WAITING,
    scheduledDelayMillis: EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  });
  const propagator = new core.W3CTraceContextPropagator();
  const { ROOT_CONTEXT, defaultTextMapGetter, trace } = api;
  setTracing({
    resource: resources.resourceFromAttributes({ 'service.name': tracing.serviceName, 'service.version': version }),
    instrumentationScope: { name: 'ocr-router' },
    record: (span) => processor.onEnd(span),
    isInShare: (id) => share.shouldSample(ROOT_CONTEXT, id).decision === sdk.SamplingDecision.RECORD_AND_SAMPLED,
    extract: (headers) => trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)),
  });
  return {
    async [Symbol.asyncDispose]() {
      const late = new Promise((resolve) => setTimeout(resolve, LAST_EXPORT_MS).unref());
      await Promise.race([processor.shutdown().catch(() => undefined), late]);
      setTracing(null);
    },
  };
}
