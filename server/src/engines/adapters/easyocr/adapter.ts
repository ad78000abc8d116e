import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { withOwnLanguage } from '../../model/own-language.ts';
import { DeskewingAdapter } from '../http/deskewing-adapter.ts';
import { bodyWith } from '../http/document-body.ts';
import { bearer, HttpAdapter, ONE_DIALECT, type Protocol } from '../http/http-adapter.ts';
import { withNative } from '../http/native-fields.ts';
import { readResults } from './answer.ts';

const NATIVE: NativeRules = {
  // What enlarges the picture (`mag_ratio`, `canvas_size`) or the batch is memory of the operator's server.
  passes: [
    ...['languages', 'decoder', 'beamWidth', 'allowlist', 'blocklist', 'paragraph', 'min_size', 'rotation_info'],
    ...['contrast_ths', 'adjust_contrast', 'filter_ths', 'text_threshold', 'low_text', 'link_threshold'],
    ...['slope_ths', 'ycenter_ths', 'height_ths', 'width_ths', 'y_ths', 'x_ths', 'add_margin'],
  ],
  reserved: ['image', 'detail', 'output_format'],
};

/** EasyOCR behind a small HTTP server that the operator runs; docs/engines.md has the protocol, because EasyOCR has none. */
export const easyocr: AdapterType = {
  name: 'easyocr',
  local: true,
  languageFamily: 'list',
  native: NATIVE,
  forwards: (settings) => withOwnLanguage(settings, settings.native['languages']),
  needs: ['baseUrl'],
  open: (engine, { http }) => new DeskewingAdapter(new HttpAdapter(http, recognition(engine))),
};

function recognition(engine: Engine): Protocol {
  return {
    ...ONE_DIALECT,
    url: `${engine.baseUrl}/ocr`,
    headers: bearer(engine.apiKey),
    secret: engine.apiKey,
    takesDocuments: false,
    request: (input, settings) => ({ body: bodyOf(input, settings) }),
    read: (answer, input, { positions = false }) => readResults(answer, { input, positions }, engine.apiKey),
  };
}

function bodyOf(input: EngineInput, { languageNative, native }: EngineSettings) {
  if (input.kind === 'document') throw new Error('EasyOCR takes pictures only');
  const languages = [languageNative].flat();
  return bodyWith(input.picture.bytes, (image) => withNative({ image, languages, detail: 1 }, native));
}
