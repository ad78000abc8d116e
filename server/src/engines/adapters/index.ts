/** Every adapter that `ENGINES_FILE` may name: a line for each. */
export { anthropic } from './anthropic/adapter.ts';
export { azureRead } from './azure-read/adapter.ts';
export { docling } from './docling/adapter.ts';
export { easyocr } from './easyocr/adapter.ts';
export { gemini } from './gemini/adapter.ts';
export { googleVision } from './google-vision/adapter.ts';
export { mistralOcr } from './mistral-ocr/adapter.ts';
export { ollama } from './ollama/adapter.ts';
export { openai } from './openai/adapter.ts';
export { paddle } from './paddle/adapter.ts';
export { pdfText } from './pdf-text/adapter.ts';
export { tesseract } from './tesseract/adapter.ts';
export { textract } from './textract/adapter.ts';
