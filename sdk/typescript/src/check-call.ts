import { OcrError } from './errors.ts';

/** What a header may have, as `fetch` sends it. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Throws an `OcrError` for what cannot be sent at all, which no repetition changes. */
export function checkCall(url: string, apiKey: string, headers: Readonly<Record<string, string>> = {}): void {
  if (!isAddress(url)) {
    throw new OcrError(`The gateway's url is no http(s) address: ${url}`, { code: 'connection', status: 0 });
  }
  if (!SENDABLE.test(apiKey)) {
    const message =
      'The API key cannot be sent: it has a character that no header may have, as the … of a key that is shown in part.';
    throw new OcrError(message, { code: 'authentication_error', status: 401 });
  }
  for (const [name, value] of Object.entries(headers)) {
    if (SENDABLE.test(value)) continue;
    const message = `The ${name} cannot be sent: it has a character that no header may have.`;
    throw new OcrError(message, { code: 'invalid_request', status: 400 });
  }
}

function isAddress(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}
