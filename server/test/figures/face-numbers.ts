/** Every number that the faces ask for, and how it is known to be right. */

export type FaceFolder = 'dashboard/src' | 'desktop/src' | 'server/src/rest';

type Fields = Readonly<Record<string, readonly string[]>>;

interface Face {
  readonly folder: FaceFolder;
  /** Compared with the rows in `figures.test.ts`, type by type; that it is, is told by what is read there. */
  readonly compared: Fields;
  /** Numbers that count nothing: settings, places, ages, what a process says of itself, and what is read from one row. */
  readonly readAsTheyAre: Fields;
}

const RUNS = ['requests', 'errorRate', 'p50Ms', 'p95Ms', 'p99Ms'];

const DASHBOARD: Face = {
  folder: 'dashboard/src',
  compared: {
    UsageSlice: ['requests', 'pages', 'failed', 'cost', 'chargedOnFailures'],
    UsageDayOfEngine: ['requests', 'pages', 'cost'],
    Balance: ['available', 'held', 'owed', 'spent'],
    CostEstimate: ['pages', 'reserved', 'available'],
    LedgerTransfer: ['amount', 'balanceAfter'],
    KeyBudget: ['amount', 'spent', 'held'],
    KeyUsage: ['requests', 'spent'],
    OcrRequest: ['pages', 'pagesTotal', 'cost', 'hold', 'providerLatencyMs', 'confidence'],
    Attempt: ['number', 'pages', 'providerLatencyMs'],
    OcrPage: ['number', 'cost'],
  },
  readAsTheyAre: {
    Account: ['textDays'],
    AppliedSettings: ['dpi'],
    Balance: ['lowThreshold'],
    Engine: ['pricePerPage', 'maxPagesPerRequest'],
    OcrJob: ['pagesDone', 'pagesTotal'], // no demo has large jobs; `jobs/large-pdf.test.ts` looks at them
    OcrPage: ['confidence', 'width', 'height'],
    OcrPageList: ['total'],
    OcrRequest: ['starts'],
    PageFailure: ['page'],
    PossibleDuplicate: ['lines'],
    RefusedCall: ['status'],
    WebhookDelivery: ['round', 'attempt', 'responseCode', 'latencyMs'],
  },
};

const CONSOLE: Face = {
  folder: 'desktop/src',
  compared: {
    AccountUsage: ['requests', 'cost', 'costByDay'],
    Attempt: ['number', 'pages', 'pagesTried', 'providerLatencyMs', 'cost'],
    Balance: ['available', 'held', 'owed', 'spent'],
    EngineCharge: ['spent'],
    EngineEnding: ['runs'],
    EngineErrors: ['runs'],
    EngineMoney: ['runs', 'pages', 'charged', 'providerCost', 'pendingRuns', 'margin'],
    EngineQueue: ['queued', 'running'],
    EngineStats: ['totalRequests', 'totalPages', 'errorRate', 'avgLatencyMs'],
    EngineWindow: [...RUNS, 'errors', 'unavailable'],
    KeyBudget: ['amount', 'spent', 'held'],
    KeyUsage: ['requests', 'pages', 'spent'],
    LatencyBucket: ['p50Ms', 'p95Ms', 'p99Ms', 'requestCount', 'errorCount'],
    LatencyDay: ['p50Ms', 'p95Ms', 'p99Ms', 'requestCount', 'errorCount'],
    LedgerTransfer: ['amount'],
    OcrPage: ['number', 'providerLatencyMs', 'cost'],
    OcrRequest: [
      ...['pages', 'pagesTotal', 'cost', 'hold', 'starts', 'providerLatencyMs', 'documentMs', 'renderMs', 'confidence'],
    ],
    Overview: [...RUNS, 'failed', 'refused', 'spent', 'chargedOnFailures', 'owed'],
    PeriodFigures: ['requests', 'errorRate', 'p95Ms', 'spent'],
    QueuePoint: ['queued', 'queuedMax', 'running', 'oldestAgeSeconds'],
    RefusalCounts: ['calls'],
    UptimeDay: ['uptimePct', 'checksTotal', 'checksHealthy'],
    UptimeHistory: ['overallUptimePct', 'totalChecks'],
  },
  readAsTheyAre: {
    AlertChannel: ['waiting'],
    AlertOverview: ['checkEverySeconds'],
    AlertPreview: ['days'],
    AlertRule: ['threshold', 'fireAfter', 'recoverAfter', 'cooldownMinutes'],
    AppliedSettings: ['dpi', 'pageCount'],
    Benchmark: ['easyScore', 'hardScore'],
    Engine: ['pricePerPage', 'maxPagesPerRequest'],
    EngineCheck: ['latencyMs'],
    EngineMoney: ['providerCostPerPage'],
    EngineQueue: ['oldestAgeSeconds'], // another one at each look
    FailedDelivery: ['round', 'attempt', 'responseCode'],
    Mutation: ['redeliverWebhooks'],
    OcrJob: ['pagesDone', 'pagesTotal'],
    OcrPage: ['confidence'],
    OcrRefund: ['refunded', 'available'],
    PageFailure: ['page'],
    RefusalCounts: ['status'],
    RefusedCall: ['status'],
    PeriodComparison: ['hours'],
    ServiceStatus: ['uptimeSeconds'],
    UptimeHistory: ['days'],
    VerifiedCost: ['debited', 'owed'],
    WallTimes: ['engineMs', 'renderMs', 'placeMs'], // measured while it ran; no row has what they were made of
    WebhookDelivery: ['round', 'attempt', 'responseCode', 'latencyMs'],
    WorkerState: ['running'],
  },
};

/** The dashboard reads its page of the status by REST. */
const REST: Face = {
  folder: 'server/src/rest',
  compared: {
    EngineStats: ['totalRequests', 'totalPages', 'errorRate', 'avgLatencyMs'],
    HealthMetrics: [
      ...['totalRequests', 'windowSize', 'successRate', 'avgLatencyMs', 'p50LatencyMs', 'p95LatencyMs', 'p99LatencyMs'],
    ],
    LatencyBucket: ['p50Ms', 'p95Ms', 'p99Ms', 'requestCount', 'errorCount'],
    UptimeDay: ['uptimePct', 'checksTotal', 'checksHealthy'],
    UptimeHistory: ['overallUptimePct', 'totalChecks', 'days'],
    Usage: ['balance', 'spent', 'requests', 'pages'],
    UsageHistoryPage: ['total', 'totalCost'],
    UsageRecord: ['pages', 'cost', 'providerLatencyMs'],
  },
  readAsTheyAre: {
    AppliedSettings: ['dpi', 'pageCount'],
    Batch: ['totalCost'], // of the requests beside it, each as `OcrRequest` has it
    BatchItemResult: ['index', 'pages', 'pagesTotal', 'cost'],
    Benchmark: ['easyScore', 'hardScore', 'ci'],
    Engine: ['pricePerPage', 'maxPagesPerRequest'],
    EnginesHealth: ['total', 'healthy'], // compared with the list beside them
    // Of a document that is in no row; `estimateOcr/200.test.ts` compares it with what sending it costs.
    Estimate: [
      ...['balance', 'billedPages', 'budgetRemaining', 'pages', 'pagesTotal', 'reserved', 'scannedPages'],
      ...['textLayerPages', 'worstCase'],
    ],
    EstimateAlternative: ['hardScore', 'readsPages', 'reserved'],
    FallbackAttempt: ['costUsd', 'providerLatencyMs'],
    LatencySeries: ['hours'],
    OcrJob: ['cost', 'pagesDone', 'pagesTotal', 'pollAfterMs'],
    // One request's, whose fields are compared as the faces ask for them.
    OcrPage: ['number', 'cost', 'confidence', 'dpi', 'width', 'height', 'providerLatencyMs', 'textAngle'],
    OcrPageList: ['page', 'perPage', 'total'],
    OcrRequest: ['pages', 'pagesTotal', 'cost', 'providerLatencyMs', 'confidence'],
    PageFailure: ['page'],
    PagePreprocessing: ['page'],
    PossibleDuplicate: ['lines'],
    ServiceStatus: ['engineCount', 'uptimeSeconds'],
    UsageHistoryPage: ['page', 'perPage'],
    WebhookDelivery: ['attempt', 'latencyMs', 'responseCode'],
  },
};

export const FACES = [DASHBOARD, CONSOLE, REST];

/** `Type.field` of each. */
export function fieldsOf(table: Fields): string[] {
  return Object.entries(table).flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`));
}
