/** A request as it was understood, in the words of `understood`; what is another account's alone is not in it. */
export interface SentRequest {
  readonly understood: Readonly<Record<string, unknown>>;
  readonly outputFormat: string;
}

/** How the document is written where only its being base64 is known. */
const DOCUMENT = 'BASE64_OF_THE_DOCUMENT';

/** The body of `POST /v1/ocr` that is understood so; defaults are left out. */
export function understoodBody({ understood: of, outputFormat }: SentRequest): Record<string, unknown> {
  const scanned = of['scannedHandlingGiven'] === true ? of['scannedHandling'] : undefined;
  return filled({
    engine: of['engine'],
    input:
      of['inputType'] === 'url'
        ? { type: 'url', url: of['url'] }
        : filled({ type: 'base64', data_base64: DOCUMENT, mime_type: of['mimeType'] }),
    mode: of['mode'] === 'async' ? 'async' : undefined,
    webhook_url: of['webhookUrl'],
    output_format: outputFormat === 'json' ? undefined : outputFormat,
    page_count: of['pageCount'],
    settings: orNothing(
      filled({
        language: of['language'],
        dpi: of['dpi'],
        page_range: of['pageRange'],
        detect_tables: of['detectTables'] === true ? true : undefined,
        preprocess: of['preprocess'],
      }),
    ),
    options: orNothing(filled({ language_hints: of['languageHints'] })),
    native_settings: orNothing(of['native']),
    scanned_handling: scanned,
    fallback_engine: of['fallbackEngine'],
    fallback: of['fallback'] === 'similar' ? 'similar' : undefined,
    max_cost_usd: usd(of['maxCost']),
    include: of['include'],
    store: of['store'] === false ? false : undefined,
  });
}

/** Names of native settings are known to operators, their values are not: such a list is no object to send. */
function orNothing(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).length > 0 ? { ...value } : undefined;
}

/** Kept in billionths, as text. */
function usd(nano: unknown): number | undefined {
  return typeof nano === 'string' ? Number(nano) / 1e9 : undefined;
}

function filled(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
