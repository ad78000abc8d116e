/** Bodies as the specification spells them. A test names the shape it expects and then checks the values. */
export interface OcrAnswer {
  request_id: string;
  status: string;
  engine: string;
  extracted_text?: string | null;
  extracted_text_preview?: string;
  extracted_text_plain?: string;
  pages?: number;
  pages_total?: number;
  warnings?: string[];
  warning?: string;
  metadata?: Record<string, unknown>;
  http_status?: number;
  poll_url?: string;
  cost_debited: number;
  provider_latency_ms?: number;
  provider_error?: string | null;
  confidence?: number;
  applied_settings?: Record<string, unknown>;
  page_results?: PageAnswer[];
  retry_after_seconds?: number;
  error?: ErrorAnswer['error'];
}

export interface PageAnswer {
  page: number;
  state: string;
  source: string;
  engine: string;
  text?: string;
  confidence?: number;
  cost_usd: number;
  provider_latency_ms?: number;
  code?: string;
  message?: string;
  width?: number;
  height?: number;
  unit?: string;
  dpi?: number;
  text_angle?: number;
  positions?: string;
  lines?: LineAnswer[];
}

export interface LineAnswer extends WordAnswer {
  block?: number;
  words?: WordAnswer[];
}

export interface WordAnswer {
  text: string;
  polygon: number[];
  confidence?: number;
  span?: [number, number];
}

export interface PageListAnswer {
  object: string;
  request_id: string;
  status: string;
  data: PageAnswer[];
  page: number;
  per_page: number;
  total: number;
}

export interface ErrorAnswer {
  error: { code: string; message: string; suggestions?: string[] };
  suggestions?: string[];
  retry_after_seconds?: number;
  http_status?: number;
}

export interface ListAnswer<T> {
  object: string;
  data: T[];
}

export interface EngineAnswer {
  id: string;
  name: string;
  provider: string;
  price_per_page_usd: number;
  status: string;
  benchmark: { hard_score: number; easy_score: number; ci: unknown; measured_at: string } | null;
  recommended: boolean;
  accepts: string[];
  max_pages_per_request: number;
  native_pdf: boolean;
  supports: string[];
  strengths: string[];
}

export interface UsageAnswer {
  balance_usd: number;
  total_spent_usd: number;
  total_requests: number;
  total_pages: number;
  period: string;
}

export interface StatsAnswer {
  engine_id: string;
  total_requests: number;
  total_pages: number;
  avg_latency_ms: number;
  error_rate: number;
  last_used: string;
}

export interface WebhookAnswer {
  id: string;
  url: string;
  label?: string;
  /** On creation only. */
  secret: string;
  events: string[];
  is_active: boolean;
  created_at: string;
}

export interface DeliveryAnswer {
  id: string;
  webhook_id: string;
  request_id: string | null;
  event: string;
  status: string;
  attempt: number;
  response_code: number | null;
  latency_ms: number | null;
  error: string | null;
  payload: Record<string, unknown> | null;
  created_at: string;
}
