import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { bodyWith } from '../http/document-body.ts';
import type { Fault } from '../http/failure.ts';
import { bearer, HttpAdapter, type Protocol } from '../http/http-adapter.ts';
import { bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { readOcrPages } from './answer.ts';

const DEFAULT_BASE_URL = 'https://api.mistral.ai';
/** Limits of a picture: a document has 50 MB at most, and base64 adds a third. */
const LIMITS = { maxBytes: 36 * 1024 * 1024, maxSide: Number.POSITIVE_INFINITY };

const NATIVE: NativeRules = {
  passes: ['table_format', 'extract_header', 'extract_footer', 'image_limit', 'image_min_size'],
  // Annotations are a second, dearer service; they and pictures come back beside the text, and would be thrown away.
  reserved: [
    ...['model', 'document', 'pages', 'id', 'include_image_base64', 'include_blocks', 'confidence_scores_granularity'],
    ...['bbox_annotation_format', 'document_annotation_format', 'document_annotation_prompt'],
  ],
};

/** Mistral's OCR service. It recognises languages by itself. */
export const mistralOcr: AdapterType = {
  name: 'mistral-ocr',
  local: false,
  languageFamily: 'bcp-47',
  native: NATIVE,
  needs: ['model', 'apiKey'],
  open: (engine, { http }) => new HttpAdapter(http, ocr(engine)),
};

/** The fields that the server does not reject. */
interface Dialect {
  /** Whether blocks are asked for: models before OCR 4 have none. */
  readonly blocks: boolean;
  /** Whether confidence is asked for: servers of an operator's own, and those of Azure, may not know it. */
  readonly confidence: boolean;
}

function ocr(engine: Engine): Protocol<Dialect> {
  return {
    firstDialect: { blocks: true, confidence: true },
    adapt(dialect, fault) {
      if (dialect.blocks && rejects(fault, 'include_blocks')) return { ...dialect, blocks: false };
      const isLess = dialect.confidence && rejects(fault, 'confidence_scores_granularity');
      return isLess ? { ...dialect, confidence: false } : null;
    },
    url: `${engine.baseUrl ?? DEFAULT_BASE_URL}/v1/ocr`,
    headers: bearer(engine.apiKey),
    secret: engine.apiKey,
    takesDocuments: true,
    limits: LIMITS,
    request: (input, settings, dialect) => ocrRequest(engine.model ?? '', input, settings, dialect),
    read: (answer, input, settings) => readOcrPages(answer, { ...settings, input }, engine.apiKey),
  };
}

function rejects({ status, param, message }: Fault, field: string): boolean {
  return (status === 400 || status === 422) && `${param} ${message}`.includes(field);
}

function ocrRequest(model: string, input: EngineInput, settings: EngineSettings, { blocks, confidence }: Dialect) {
  const oursWith = (base64: string) => ({
    model,
    document: documentOf(input, base64),
    ...(input.kind === 'document' && { pages: input.pages.map((page) => page - 1) }),
    include_image_base64: false,
    ...(confidence && { confidence_scores_granularity: 'page' }),
    ...((settings.positions || settings.tables) && blocks && { include_blocks: true }),
  });
  const body = bodyWith(bytesOf(input), (base64) => withNative(oursWith(base64), settings.native));
  const note = 'This engine recognises languages by itself: the language was not passed on.';
  return { body, warnings: settings.language === 'en' ? [] : [note] };
}

function documentOf(input: EngineInput, base64: string) {
  if (input.kind === 'document') {
    return { type: 'document_url', document_url: `data:application/pdf;base64,${base64}` };
  }
  return { type: 'image_url', image_url: `data:${input.picture.mimeType};base64,${base64}` };
}
