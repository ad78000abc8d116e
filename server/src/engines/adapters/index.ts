import type { AdapterType } from '../engine.ts';
import { anthropic } from './anthropic/adapter.ts';
import { azureRead } from './azure-read/adapter.ts';
import { docling } from './docling/adapter.ts';
import { easyocr } from './easyocr/adapter.ts';
import { gemini } from './gemini/adapter.ts';
import { googleVision } from './google-vision/adapter.ts';
import { mistralOcr } from './mistral-ocr/adapter.ts';
import { ollama } from './ollama/adapter.ts';
import { openai } from './openai/adapter.ts';
import { paddle } from './paddle/adapter.ts';
import { pdfText } from './pdf-text/adapter.ts';
import { tesseract } from './tesseract/adapter.ts';
import { textract } from './textract/adapter.ts';

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
