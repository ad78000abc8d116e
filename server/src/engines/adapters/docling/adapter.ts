import { isObject } from '../../../platform/is-object.ts';
import type { AdapterType } from '../../model/adapter-type.ts';
import type { Ending, Engine, EngineInput, EngineSettings, Forwarded } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { withOwnLanguage } from '../../model/own-language.ts';
import { bodyWith } from '../http/document-body.ts';
import { HttpAdapter, ONE_DIALECT, type Protocol } from '../http/http-adapter.ts';
import { bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { readConversion } from './answer.ts';
import { PageByPage } from './page-by-page.ts';

const NATIVE: NativeRules = {
  passes: [
    ...['do_ocr', 'force_ocr', 'ocr_lang', 'pdf_backend', 'do_table_structure', 'table_mode', 'table_cell_matching'],
    ...['do_code_enrichment', 'do_formula_enrichment'],
  ].map((name) => `options.${name}`),
  // Where the document comes from, where the result goes, which pages, in what form, and who else is asked.
  reserved: [
    ...['sources', 'file_sources', 'http_sources', 'target', 'callbacks'],
    ...[
      ...['from_formats', 'to_formats', 'page_range', 'image_export_mode', 'include_images', 'images_scale'],
      ...['ocr_engine', 'ocr_custom_config', 'pipeline', 'vlm_pipeline_model', 'vlm_pipeline_model_local'],
      ...['vlm_pipeline_model_api', 'picture_description_local', 'picture_description_api'],
    ].map((name) => `options.${name}`),
  ],
};
/**
 * The OCR engine unless the operator names one: Docling's own default has no fixed language codes, and EasyOCR's are the ones
 * that it is sent.
 */
const DEFAULT_OCR_ENGINE = 'easyocr';

/** The server's words for a conversion whose worker failed. */
const NO_RESULT = /^task result not found/i;

/** A docling-serve server that the operator runs. `model` names the OCR engine within it. */
export const docling: AdapterType = {
  name: 'docling',
  local: true,
  languageFamily: 'list',
  native: NATIVE,
  forwards,
  needs: ['baseUrl'],
  open: (engine, { http }) => new PageByPage(new HttpAdapter(http, conversion(engine))),
};

function forwards(settings: EngineSettings): Forwarded {
  const own = settings.native['options'];
  const { ocr_lang, do_table_structure } = isObject(own) ? own : {};
  const findsTables = typeof do_table_structure === 'boolean' ? { findsTables: do_table_structure } : {};
  return { ...withOwnLanguage(settings, ocr_lang), ...findsTables };
}

function conversion(engine: Engine): Protocol {
  return {
    ...ONE_DIALECT,
    url: `${engine.baseUrl}/v1/convert/source`,
    headers: engine.apiKey ? { 'x-api-key': engine.apiKey } : {},
    secret: engine.apiKey,
    takesDocuments: true,
    request(input, settings) {
      const options = optionsOf(engine, input, settings);
      const fields = (base64: string) => ({ options, sources: [sourceOf(input, base64)], target: { kind: 'inbody' } });
      return { body: bodyWith(bytesOf(input), (base64) => withNative(fields(base64), settings.native)) };
    },
    read: (answer, input, settings) => readConversion(answer, { ...settings, input }, engine.apiKey),
    ending: ({ status, message }) => (status === 404 && NO_RESULT.test(message) ? noResult() : null),
  };
}

/** The ending of a conversion whose worker failed. Address and key are right: another worker may convert the page. */
function noResult(): Ending {
  const message = 'The engine’s conversion failed (HTTP 404): its server has no result of it.';
  return { kind: 'failed', message, temporary: true, httpStatus: 404, fault: 'http_error' };
}

function optionsOf(
  engine: Engine,
  input: EngineInput,
  { languageNative, detectTables, positions, tables }: EngineSettings,
) {
  const [page = 1] = input.kind === 'document' ? input.pages : [];
  return {
    from_formats: [input.kind === 'document' ? 'pdf' : 'image'],
    to_formats: positions || tables ? ['md', 'json'] : ['md'],
    do_ocr: true,
    force_ocr: true, // text that a PDF carries is for pdf-text; this engine is asked to look
    ocr_engine: engine.model ?? DEFAULT_OCR_ENGINE,
    ocr_lang: [languageNative].flat(),
    image_export_mode: 'placeholder',
    include_images: false,
    ...(detectTables && { do_table_structure: true }),
    ...(input.kind === 'document' && { page_range: [page, page] }),
  };
}

function sourceOf(input: EngineInput, base64_string: string) {
  if (input.kind === 'document') return { kind: 'file', base64_string, filename: 'document.pdf' };
  const filename = input.picture.mimeType === 'image/png' ? 'page.png' : 'page.jpg'; // the ending tells docling the format
  return { kind: 'file', base64_string, filename };
}
