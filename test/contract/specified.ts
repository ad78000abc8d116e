/**
 * The interface specification, typed by hand and independent of the contract: the routes, and the fields of each
 * resource. `always` are the fields that every record has, `sometimes` those with a condition, `nullable` those of
 * either list that may be null.
 */
export interface SpecifiedFields {
  readonly always: readonly string[];
  readonly sometimes?: readonly string[];
  readonly nullable?: readonly string[];
}

export const API_ROUTES = [
  ['POST', '/v1/ocr', 'createOcr'],
  ['POST', '/v1/ocr/batch', 'createOcrBatch'],
  ['GET', '/v1/ocr/{request_id}', 'getOcr'],
  ['GET', '/v1/ocr/jobs/{job_id}/status', 'getOcrJobStatus'],
  ['GET', '/v1/ocr/jobs/{job_id}/result', 'getOcrJobResult'],
  ['GET', '/v1/engines', 'listEngines'],
  ['GET', '/v1/engines/health', 'getEnginesHealth'],
  ['GET', '/v1/engines/stats', 'listEngineStats'],
  ['GET', '/v1/engines/{engine_id}/stats', 'getEngineStats'],
  ['GET', '/v1/engines/{engine_id}/latency', 'getEngineLatency'],
  ['GET', '/v1/engines/{engine_id}/uptime', 'getEngineUptime'],
  ['GET', '/v1/usage', 'getUsage'],
  ['GET', '/v1/health', 'getHealth'],
  ['GET', '/v1/status', 'getStatus'],
  ['GET', '/v1/changelog', 'getChangelog'],
  ['GET', '/v1/models', 'listModels'],
] as const;

export const DASHBOARD_ROUTES = [
  ['GET', '/api/usage', 'getUsageHistory'],
  ['GET', '/api/webhooks', 'listWebhooks'],
  ['POST', '/api/webhooks', 'createWebhook'],
  ['PATCH', '/api/webhooks/{id}', 'updateWebhook'],
  ['DELETE', '/api/webhooks/{id}', 'deleteWebhook'],
  ['POST', '/api/webhooks/{id}/test', 'testWebhook'],
  ['GET', '/api/webhooks/{id}/deliveries', 'listWebhookDeliveries'],
  ['POST', '/api/login', 'login'],
  ['POST', '/api/register', 'register'],
  ['GET', '/api/front', 'getFront'],
  ['POST', '/api/logout', 'logout'],
  ['GET', '/.well-known/jwks.json', 'getJwks'],
] as const;

/** The statuses that the table of errors and the rules of each endpoint allow. */
export const STATUSES: Readonly<Record<(typeof API_ROUTES)[number][2], readonly number[]>> = {
  createOcr: [200, 202, 400, 401, 402, 403, 409, 413, 422, 429, 500, 502, 503],
  createOcrBatch: [200, 202, 400, 401, 403, 413, 429, 500, 503],
  getOcr: [200, 401, 403, 404, 410, 429, 500],
  getOcrJobStatus: [200, 401, 403, 404, 429, 500],
  getOcrJobResult: [200, 202, 401, 403, 404, 410, 429, 500],
  listEngines: [200, 400, 401, 429, 500],
  getEnginesHealth: [200, 401, 429, 500],
  listEngineStats: [200, 401, 429, 500],
  getEngineStats: [200, 401, 404, 429, 500],
  getEngineLatency: [200, 400, 401, 404, 429, 500],
  getEngineUptime: [200, 400, 401, 404, 429, 500],
  getUsage: [200, 401, 403, 429, 500],
  getHealth: [200, 401, 429, 500],
  getStatus: [200, 401, 429, 500],
  getChangelog: [200, 401, 429, 500],
  listModels: [200, 401, 429, 500],
};

/** Which scope an operation needs; those that are not named are open, or take any valid key. */
export const SCOPES: Readonly<Record<string, string>> = {
  createOcr: 'ocr:write',
  createOcrBatch: 'ocr:write',
  getOcr: 'ocr:read',
  getOcrJobStatus: 'ocr:read',
  getOcrJobResult: 'ocr:read',
  getUsage: 'usage:read',
};

/** The operations that need a key. */
export const SECURED = [...Object.keys(SCOPES), 'listModels'];

export const ERROR_CODES = [
  'invalid_request',
  'unknown_engine',
  'history_disabled',
  'authentication_error',
  'insufficient_balance',
  'insufficient_scope',
  'not_found',
  'idempotency_key_reused',
  'result_not_retained',
  'payload_too_large',
  'unprocessable_entity',
  'rate_limited',
  'internal_error',
  'provider_error',
  'engine_unavailable',
];
