import { type SentRequest, understoodBody } from '@ocr-router/ui/requests/understood-body.ts';

/**
 * The request as a curl command for a POSIX shell. The key comes from the environment, and a new idempotency key is
 * made by each run: the old one would only replay the old outcome.
 */
export function asCurl(baseUrl: string, sent: SentRequest): string {
  const body = JSON.stringify(understoodBody(sent), null, 2);
  return [
    `curl -sS ${quoted(`${baseUrl.replace(/\/+$/, '')}/v1/ocr`)}`,
    `-H "Authorization: Bearer $OCR_ROUTER_KEY"`,
    `-H "Idempotency-Key: $(uuidgen)"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** One word for the shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
