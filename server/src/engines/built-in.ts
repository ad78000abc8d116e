import type { EngineEntry } from './engines-file.ts';

/** The engines that every installation has: both run on this machine and read without a key. */
export const BUILT_IN: readonly EngineEntry[] = [
  {
    id: 'tesseract',
    name: 'Tesseract',
    provider: 'local',
    adapter: 'tesseract',
    price_per_page_usd: 0.001,
    max_pages_per_request: 200,
    accepts: ['url', 'base64', 'png', 'jpeg', 'webp', 'gif', 'tiff', 'bmp', 'pdf'],
    strengths: ['printed_text', 'multilingual'],
    recommended: true,
  },
  {
    id: 'pdf-text',
    name: 'PDF text layer',
    provider: 'local',
    adapter: 'pdf-text',
    price_per_page_usd: 0.0002,
    max_pages_per_request: 1000,
    native_pdf: true,
    page_range: true,
    accepts: ['url', 'base64', 'pdf'],
    strengths: ['born_digital_pdf', 'speed'],
    recommended: true,
  },
];
