import type { AdapterType } from '../engine.ts';
import { anthropic } from './anthropic.ts';
import { azureRead } from './azure-read.ts';
import { docling } from './docling.ts';
import { easyocr } from './easyocr.ts';
import { gemini } from './gemini.ts';
import { googleVision } from './google-vision.ts';
import { mistralOcr } from './mistral-ocr.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { paddle } from './paddle.ts';
import { pdfText } from './pdf-text.ts';
import { tesseract } from './tesseract.ts';
import { textract } from './textract.ts';

/** Every adapter that `ENGINES_FILE` may name. */
export const ADAPTERS: readonly AdapterType[] = [
  tesseract,
  pdfText,
  openai,
  anthropic,
  gemini,
  ollama,
  easyocr,
  paddle,
  docling,
  textract,
  mistralOcr,
  googleVision,
  azureRead,
];
