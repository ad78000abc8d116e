import { anthropicWire } from './anthropic.ts';
import { azureReadWire } from './azure-read.ts';
import { doclingWire } from './docling.ts';
import { easyocrWire } from './easyocr.ts';
import { geminiWire } from './gemini.ts';
import { googleVisionWire } from './google-vision.ts';
import { mistralOcrWire } from './mistral-ocr.ts';
import { ollamaWire } from './ollama.ts';
import { openaiWire } from './openai.ts';
import { paddleWire } from './paddle.ts';
import { textractWire } from './textract.ts';
import type { Wire } from './wire.ts';

/** One wire for each adapter that calls a provider. */
export const WIRES: readonly Wire[] = [
  openaiWire,
  anthropicWire,
  geminiWire,
  ollamaWire,
  easyocrWire,
  paddleWire,
  doclingWire,
  textractWire,
  mistralOcrWire,
  googleVisionWire,
  azureReadWire,
];
