/** The closed sets of the interface specification, typed by hand as the rest of it (`specified.ts`): of schemas, and of parameters. */
type ClosedSets = Readonly<Record<string, readonly unknown[]>>;

const RUN = ['queued', 'processing', 'succeeded', 'partial', 'failed', 'rejected'];
const OFFERED = ['available', 'coming_soon'];
const MODE = ['sync', 'async'];
const OUTPUT_FORMAT = ['json', 'text', 'markdown'];
const SCANNED = ['skip', 'fallback', 'error'];
const FALLBACK = ['off', 'similar'];

export const CLOSED_SETS: ClosedSets = {
  'OcrInput.type': ['url', 'base64'],
  'OcrRequest.mode': MODE,
  'OcrRequest.output_format': OUTPUT_FORMAT,
  'OcrRequest.scanned_handling': SCANNED,
  'OcrRequest.fallback': FALLBACK,
  'BatchItem.scanned_handling': SCANNED,
  'BatchItem.fallback': FALLBACK,
  'OcrResult.status': [...RUN, 'refunded', 'timeout'],
  'AppliedSettings.output_format': OUTPUT_FORMAT,
  'JobStatus.status': RUN,
  'BatchItemResult.status': ['succeeded', 'partial', 'rejected', 'refunded', 'timeout'],
  'EngineList.object': ['list'],
  'Engine.status': OFFERED,
  'Engine.supports': ['image_url', 'image_base64'],
  'ModelList.object': ['list'],
  'Model.object': ['model'],
  'Model.status': OFFERED,
  'UsageTotals.period': ['all_time'],
  'EngineHealthList.object': ['engine_health'],
  'EngineHealth.status': ['healthy', 'degraded', 'unhealthy', 'unknown'],
  'EngineStatsList.object': ['list'],
  'OcrCompletedEvent.event': ['ocr.completed'],
  'OcrCompletedEvent.status': ['succeeded', 'partial', 'refunded', 'failed'],
  'listEngines sort': ['accuracy'],
  // What several of these refer to.
  Mode: MODE,
  OutputFormat: OUTPUT_FORMAT,
  ScannedHandling: SCANNED,
  Fallback: FALLBACK,
  EngineStatus: OFFERED,
};

const EVENTS = ['ocr.completed', 'ocr.failed'];

export const DASHBOARD_CLOSED_SETS: ClosedSets = {
  'ErrorDetail.code': [
    ...['invalid_request', 'authentication_error', 'insufficient_scope', 'not_found', 'payload_too_large'],
    ...['rate_limited', 'internal_error', 'engine_unavailable'],
  ],
  'Front.login': ['password', 'openid', 'none'],
  WebhookEventName: EVENTS,
  'WebhookCreation.events': EVENTS,
  'WebhookChange.events': EVENTS,
  'WebhookList.object': ['list'],
  'Webhook.events': EVENTS,
  'CreatedWebhook.events': EVENTS,
  'DeliveryList.object': ['list'],
  'Delivery.event': ['ocr.completed', 'webhook.test'],
  'Delivery.status': ['pending', 'delivered', 'failed', 'skipped'],
  'WebhookTestEvent.event': ['webhook.test'],
  'UsageHistory.object': ['list'],
  'UsageRecord.status': RUN,
  'UsageRecord.mode': MODE,
};
