import type { Engine, EngineInput, EngineSettings } from '../../engine.ts';
import type { AdapterType } from '../adapter-type.ts';
import { HttpAdapter, type Protocol } from '../http/http-adapter.ts';
import { withNative } from '../http/native-fields.ts';
import type { NativeRules } from '../native-rules.ts';
import { readPages } from './answer.ts';

const PDF_FILE = 0;
const PICTURE_FILE = 1;
const OPERATION = /\/(?:ocr|layout-parsing)$/;

const NATIVE: NativeRules = {
  // Sizes of pictures (`textDetLimitSideLen`, `maxPixels`) are memory of the operator's server.
  passes: [
    ...['useDocOrientationClassify', 'useDocUnwarping', 'useTextlineOrientation'],
    ...['textDetThresh', 'textDetBoxThresh', 'textDetUnclipRatio', 'textRecScoreThresh'],
    ...['useLayoutDetection', 'useChartRecognition', 'useSealRecognition', 'useFormulaRecognition', 'promptLabel'],
    ...['layoutThreshold', 'layoutNms', 'layoutUnclipRatio', 'layoutMergeBboxesMode'],
    ...['repetitionPenalty', 'temperature', 'topP', 'prettifyMarkdown', 'showFormulaNumber'],
  ],
  reserved: ['file', 'fileType', 'visualize', 'logId'],
};

/** PaddleOCR behind PaddleX's own server: its OCR pipeline, or PaddleOCR-VL, which parses the layout. */
export const paddle: AdapterType = {
  name: 'paddle',
  local: true,
  languageFamily: 'list',
  native: NATIVE,
  needs: ['baseUrl'],
  open: (engine, { http }) => new HttpAdapter(http, pipeline(engine)),
};

function pipeline(engine: Engine): Protocol<null> {
  const url = addressOf(engine);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(engine.apiKey && { authorization: `Bearer ${engine.apiKey}` }),
  };
  return {
    firstDialect: null,
    takesDocuments: true,
    limits: { maxBytes: Number.POSITIVE_INFINITY, maxSide: Number.POSITIVE_INFINITY },
    secret: engine.apiKey,
    request(input, settings) {
      const { fields, warnings } = bodyFields(input, settings);
      return { call: { url, headers, body: JSON.stringify(fields) }, warnings };
    },
    read: (answer, input) => readPages(answer, input, engine.apiKey),
    adapt: () => null,
    billed: () => 'no',
  };
}

/** The two pipelines have an operation each; a `base_url` that ends in one decides, then the model's name. */
function addressOf({ baseUrl, model }: Engine): string {
  const base = baseUrl ?? '';
  if (OPERATION.test(base)) return base;
  return /vl/i.test(model ?? '') ? `${base}/layout-parsing` : `${base}/ocr`;
}

function bodyFields(input: EngineInput, { language, native }: EngineSettings) {
  const bytes = input.kind === 'picture' ? input.picture.bytes : input.bytes;
  const ours = {
    file: bytes.toString('base64'),
    fileType: input.kind === 'picture' ? PICTURE_FILE : PDF_FILE,
    visualize: false, // or else it sends its drawings back, many times the size of the text
    useDocOrientationClassify: false,
    useDocUnwarping: false,
  };
  const fields = withNative(ours, native);
  if (language === 'en') return { fields, warnings: [] };
  const notApplied = `PaddleOCR reads the languages of the model that its server runs; "${language}" was not sent to it.`;
  return { fields, warnings: [notApplied] };
}
