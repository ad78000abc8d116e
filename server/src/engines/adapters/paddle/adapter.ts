import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { DeskewingAdapter } from '../http/deskewing-adapter.ts';
import { bodyWith } from '../http/document-body.ts';
import { bearer, HttpAdapter, ONE_DIALECT, type Protocol } from '../http/http-adapter.ts';
import { bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { readPages } from './answer.ts';

const PDF_FILE = 0;
const PICTURE_FILE = 1;
const OPERATION = /\/(?:ocr|layout-parsing)$/;

const MOVING = ['useDocOrientationClassify', 'useDocUnwarping'];

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
  readsAllPages: true,
  languageFamily: 'list',
  native: NATIVE,
  needs: ['baseUrl'],
  open: (engine, { http }) => new DeskewingAdapter(new HttpAdapter(http, pipeline(engine))),
};

function pipeline(engine: Engine): Protocol {
  return {
    ...ONE_DIALECT,
    url: addressOf(engine),
    headers: bearer(engine.apiKey),
    secret: engine.apiKey,
    takesDocuments: true,
    request: pagesRequest,
    // A page that its server has turned or straightened is not the page that it was sent.
    read: (answer, input, { positions = false, native }) =>
      readPages(
        answer,
        { input, positions: positions && !MOVING.some((field) => native[field] === true) },
        engine.apiKey,
      ),
  };
}

/** The address of the pipeline's operation: a `base_url` that ends in one decides, then the model's name. */
function addressOf({ baseUrl, model }: Engine): string {
  if (baseUrl && OPERATION.test(baseUrl)) return baseUrl;
  return /vl/i.test(model ?? '') ? `${baseUrl}/layout-parsing` : `${baseUrl}/ocr`;
}

function pagesRequest(input: EngineInput, { language, native }: EngineSettings) {
  const oursWith = (file: string) => ({
    file,
    fileType: input.kind === 'picture' ? PICTURE_FILE : PDF_FILE,
    visualize: false, // or else it sends its drawings back, many times the size of the text
    useDocOrientationClassify: false,
    useDocUnwarping: false,
  });
  const body = bodyWith(bytesOf(input), (file) => withNative(oursWith(file), native));
  if (language === 'en') return { body, warnings: [] };
  const notApplied = `PaddleOCR reads the languages of the model that its server runs; "${language}" was not sent to it.`;
  return { body, warnings: [notApplied] };
}
