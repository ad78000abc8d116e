import type { SpecifiedFields } from './specified.ts';

/** What callers send: `always` is required. */
export const REQUEST_FIELDS: Readonly<Record<string, SpecifiedFields>> = {
  OcrRequest: {
    always: ['engine', 'input'],
    sometimes: [
      ...['options', 'fallback_engine', 'scanned_handling', 'fallback', 'settings', 'native_settings', 'mode'],
      ...['webhook_url', 'page_count', 'output_format'],
    ],
  },
  OcrInput: { always: ['type'], sometimes: ['url', 'data_base64', 'mime_type'] },
  OcrOptions: { always: [], sometimes: ['language_hints', 'detect_tables'] },
  OcrSettings: { always: [], sometimes: ['language', 'dpi', 'page_range', 'detect_tables'] },
  BatchRequest: { always: ['items'] },
  BatchItem: {
    always: ['engine', 'input'],
    sometimes: [
      ...['options', 'fallback_engine', 'scanned_handling', 'fallback', 'settings', 'native_settings', 'page_count'],
    ],
  },
};

/** What callers receive. */
export const RESPONSE_FIELDS: Readonly<Record<string, SpecifiedFields>> = {
  OcrResult: {
    always: ['request_id', 'status', 'engine', 'cost_debited'],
    sometimes: [
      ...['extracted_text', 'extracted_text_preview', 'extracted_text_plain', 'pages', 'pages_total', 'pages_failed'],
      ...['warnings', 'warning', 'metadata', 'http_status', 'poll_url', 'retry_after_seconds', 'provider_latency_ms'],
      ...['provider_error', 'confidence', 'applied_settings'],
    ],
    nullable: ['extracted_text'],
  },
  ResultMetadata: { always: [], sometimes: ['warnings', 'possible_duplicate', 'fallback'] },
  PossibleDuplicate: { always: ['lines', 'text'] },
  FallbackRecord: { always: ['requested_engine', 'used_engine', 'reason', 'attempts'] },
  FallbackAttempt: { always: ['engine', 'outcome', 'cost_usd'], sometimes: ['provider_latency_ms'] },
  AppliedSettings: {
    always: [],
    sometimes: [
      ...['language', 'language_native', 'dpi', 'page_range', 'detect_tables', 'page_count', 'output_format', 'native'],
    ],
  },
  PageFailure: { always: ['page', 'code', 'message'] },
  JobStatus: {
    always: ['job_id', 'request_id', 'status', 'pages_total', 'pages_done', 'pages_failed', 'cost_debited'],
    sometimes: ['poll_after_ms'],
  },
  BatchResult: { always: ['batch_id', 'results', 'total_cost_debited'], sometimes: ['http_status'] },
  BatchItemResult: {
    always: ['index', 'status', 'extracted_text', 'cost_debited'],
    sometimes: ['request_id', 'engine', 'pages', 'pages_total', 'warnings', 'provider_error', 'error'],
    nullable: ['extracted_text'],
  },
  BatchItemError: { always: ['code', 'message'] },
  EngineList: { always: ['object', 'data'] },
  Engine: {
    always: [
      ...['id', 'name', 'provider', 'price_per_page_usd', 'status', 'benchmark', 'recommended', 'accepts'],
      ...['max_pages_per_request', 'native_pdf', 'supports', 'strengths'],
    ],
    nullable: ['benchmark'],
  },
  Benchmark: { always: ['hard_score', 'easy_score', 'ci', 'measured_at'], nullable: ['ci'] },
  ModelList: { always: ['object', 'data'] },
  Model: { always: ['id', 'object', 'owned_by', 'name', 'status', 'benchmark'], nullable: ['benchmark'] },
  UsageTotals: { always: ['balance_usd', 'total_spent_usd', 'total_requests', 'total_pages', 'period'] },
  Health: { always: ['ok'] },
  ServiceStatus: { always: ['ok', 'engine_count'], sometimes: ['version', 'uptime_seconds'] },
  EngineHealthList: { always: ['object', 'total', 'healthy', 'engines'] },
  EngineHealth: {
    always: ['engine_id', 'engine_name', 'health_url', 'status', 'detail', 'metrics'],
    nullable: ['health_url', 'detail'],
  },
  EngineHealthMetrics: {
    always: [
      ...['total_requests', 'window_size', 'success_rate', 'avg_latency_ms'],
      ...['p50_latency_ms', 'p95_latency_ms', 'p99_latency_ms'],
    ],
    nullable: ['success_rate', 'avg_latency_ms', 'p50_latency_ms', 'p95_latency_ms', 'p99_latency_ms'],
  },
  EngineStatsList: { always: ['object', 'data'] },
  EngineStats: {
    always: ['engine_id', 'total_requests', 'total_pages', 'avg_latency_ms', 'error_rate', 'last_used'],
    nullable: ['avg_latency_ms', 'error_rate', 'last_used'],
  },
  LatencySeries: { always: ['engine_id', 'hours', 'data'] },
  LatencyBucket: {
    always: ['bucket_hour', 'request_count', 'p50_ms', 'p95_ms', 'p99_ms', 'error_count'],
    nullable: ['p50_ms', 'p95_ms', 'p99_ms'],
  },
  UptimeHistory: {
    always: ['engine_id', 'days', 'overall_uptime_pct', 'total_checks', 'data'],
    nullable: ['overall_uptime_pct'],
  },
  UptimeDay: { always: ['date', 'checks_total', 'checks_healthy', 'uptime_pct'], nullable: ['uptime_pct'] },
  Changelog: { always: ['api_version', 'changelog'] },
  ChangelogEntry: { always: ['version', 'date', 'changes'] },
  Error: { always: ['error'], sometimes: ['retry_after_seconds', 'http_status'] },
  ErrorDetail: { always: ['code', 'message'], sometimes: ['suggestions'] },
  RateLimitedError: { always: ['error', 'retry_after_seconds'] },
  OcrCompletedEvent: {
    always: [
      ...['event', 'request_id', 'status', 'engine', 'extracted_text', 'extracted_text_preview', 'cost_usd'],
      ...['provider_latency_ms', 'provider_error', 'warning', 'timestamp'],
    ],
    sometimes: ['pages', 'pages_total', 'warnings'],
    nullable: ['extracted_text', 'extracted_text_preview', 'provider_latency_ms', 'provider_error', 'warning'],
  },
};

/** The records of the dashboard's routes. */
export const DASHBOARD_FIELDS: Readonly<Record<string, SpecifiedFields>> = {
  WebhookCreation: { always: ['url'], sometimes: ['label', 'events'] },
  WebhookChange: { always: [], sometimes: ['url', 'label', 'events', 'is_active'] },
  Webhook: { always: ['id', 'url', 'events', 'is_active', 'created_at'], sometimes: ['label'] },
  CreatedWebhook: { always: ['id', 'url', 'secret', 'events', 'is_active', 'created_at'], sometimes: ['label'] },
  Delivery: {
    always: [
      ...['id', 'webhook_id', 'request_id', 'event', 'status', 'attempt', 'response_code', 'latency_ms', 'error'],
      ...['payload', 'created_at'],
    ],
    nullable: ['request_id', 'response_code', 'latency_ms', 'error', 'payload'],
  },
  WebhookTestEvent: { always: ['event', 'webhook_id', 'timestamp'] },
  UsageHistory: { always: ['object', 'data', 'page', 'per_page', 'total', 'total_cost_usd'] },
  UsageRecord: {
    always: [
      ...[
        'request_id',
        'created_at',
        'engine',
        'status',
        'pages',
        'cost_usd',
        'provider_latency_ms',
        'mode',
        'key_label',
      ],
    ],
    nullable: ['pages', 'provider_latency_ms', 'key_label'],
  },
};
