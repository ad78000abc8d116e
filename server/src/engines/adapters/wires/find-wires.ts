import { anthropicWire } from '../anthropic/wire.ts';
import { azureReadWire } from '../azure-read/wire.ts';
import { doclingWire } from '../docling/wire.ts';
import { easyocrWire } from '../easyocr/wire.ts';
import { geminiWire } from '../gemini/wire.ts';
import { googleVisionWire } from '../google-vision/wire.ts';
import { mistralOcrWire } from '../mistral-ocr/wire.ts';
import { ollamaWire } from '../ollama/wire.ts';
import { openaiWire } from '../openai/wire.ts';
import { paddleWire } from '../paddle/wire.ts';
import { textractWire } from '../textract/wire.ts';
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
