/**
 * What the contract has beyond the interface specification: every addition is a line here. `specification.test.ts`
 * compares the contract without these with what was specified, and holds every added property to be optional.
 */
export const ADDED_ROUTES = [
  ['GET', '/v1/models/{model_id}', 'getModel'],
  ['POST', '/v1/ocr/{request_id}/cancel', 'cancelOcr'],
  ['POST', '/v1/ocr/estimate', 'estimateOcr'],
  ['DELETE', '/v1/ocr/{request_id}', 'deleteOcr'],
  ['GET', '/v1/ocr/{request_id}/output', 'getOcrOutput'],
  ['POST', '/v1/ocr/{request_id}/output', 'createOcrOutput'],
  ['GET', '/v1/ocr/{request_id}/pages', 'listOcrPages'],
  ['GET', '/v1/incidents', 'listIncidents'],
] as const;

/** Likewise at the dashboard's address. */
export const ADDED_DASHBOARD_ROUTES = [['GET', '/api/export', 'exportAccount']] as const;

export const ADDED_STATUSES: Readonly<Record<string, readonly number[]>> = {
  getModel: [200, 400, 401, 404, 429, 500],
  deleteOcr: [202, 204, 400, 401, 403, 404, 429, 500],
  cancelOcr: [200, 202, 400, 401, 403, 404, 429, 500],
  estimateOcr: [200, 400, 401, 403, 413, 422, 429, 500, 503],
  getOcrOutput: [200, 400, 401, 403, 404, 409, 410, 429, 500],
  createOcrOutput: [200, 400, 401, 403, 404, 409, 410, 413, 422, 429, 500, 503],
  listOcrPages: [200, 400, 401, 403, 404, 410, 429, 500],
  listIncidents: [200, 400, 401, 429, 500],
};

/** Operations of the specification that gained 400: for a query parameter that they do not have. */
export const ADDED_400 = [
  'getOcr',
  'getOcrJobStatus',
  'getOcrJobResult',
  'getEnginesHealth',
  'listEngineStats',
  'getEngineStats',
  'getUsage',
  'getStatus',
  'getChangelog',
  'listModels',
] as const;

/** Which scope an added operation needs. */
export const ADDED_SCOPES: Readonly<Record<string, string>> = {
  cancelOcr: 'ocr:write',
  estimateOcr: 'usage:read',
  deleteOcr: 'ocr:write',
  getOcrOutput: 'ocr:read',
  createOcrOutput: 'ocr:read',
  listOcrPages: 'ocr:read',
};

/** Added operations that need a key: those with a scope, and those that take any valid key. */
export const ADDED_SECURED = [...Object.keys(ADDED_SCOPES), 'getModel'];

/** Properties that schemas of the specification gained, by the schema's name. */
export const ADDED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  OcrResult: ['cancel_requested_at', 'cancelled_at', 'retained_until', 'page_results'],
  JobStatus: ['cancel_requested_at', 'cancelled_at'],
  BatchItemResult: ['extracted_text_preview', 'warning', 'cancelled_at', 'retained_until', 'page_results'],
  OcrCompletedEvent: ['cancelled_at'],
  OcrRequest: ['max_cost_usd', 'store', 'include'],
  BatchItem: ['max_cost_usd', 'store', 'include'],
  OcrSettings: ['preprocess'],
  ResultMetadata: ['preprocessing'],
};

export const ADDED_ERROR_CODES: readonly string[] = ['budget_exceeded', 'positions_missing'];

const INCLUDE = ['pages', 'lines', 'words', 'tables'];
const OUTPUT = ['pdf', 'hocr', 'alto', 'text', 'markdown', 'csv'];
const TEXT_LAYER = ['missing', 'all'];

/** Closed sets of schemas, properties and parameters that were added. */
export const ADDED_CLOSED_SETS: Readonly<Record<string, readonly unknown[]>> = {
  Include: INCLUDE,
  'OcrRequest.include': INCLUDE,
  'BatchItem.include': INCLUDE,
  'OcrSettings.preprocess': ['auto', 'off'],
  'PagePreprocessing.steps': ['flattened', 'turned', 'deskewed', 'enlarged', 'second_look'],
  'PageResult.state': ['read', 'blank', 'skipped', 'failed'],
  'PageResult.source': ['text_layer', 'engine'],
  'PageResult.unit': ['point', 'pixel'],
  'PageResult.text_angle': [0, 90, 180, 270],
  'PageResult.positions': ['word', 'line', 'block', 'none'],
  'PageResultList.object': ['list'],
  'PageResultList.status': ['queued', 'processing', 'succeeded', 'partial', 'failed', 'rejected'],
  'Estimate.object': ['estimate'],
  'EstimateObstacle.code': ['disabled', 'unhealthy', 'resting', 'coming_soon'],
  'IncidentList.object': ['list'],
  'Incident.impact': ['down', 'failing', 'slow'],
  'getOcrOutput format': OUTPUT,
  'getOcrOutput text_layer': TEXT_LAYER,
  'createOcrOutput format': OUTPUT,
  'createOcrOutput text_layer': TEXT_LAYER,
  'getEnginesHealth engines': ['all'],
};
