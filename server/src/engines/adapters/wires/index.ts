import { anthropicWire } from './anthropic.ts';
import { azureReadWire } from './azure-read.ts';
import { geminiWire } from './gemini.ts';
import { googleVisionWire } from './google-vision.ts';
import { mistralOcrWire } from './mistral-ocr.ts';
import { ollamaWire } from './ollama.ts';
import { openaiWire } from './openai.ts';
import type { Wire } from './wire.ts';

/** One wire for each adapter that calls a provider. */
export const WIRES: readonly Wire[] = [
  openaiWire,
  anthropicWire,
  geminiWire,
  ollamaWire,
  mistralOcrWire,
  googleVisionWire,
  azureReadWire,
];
