/**
 * Decodes strict base64: the standard alphabet, correct padding, line breaks allowed. Null for anything else: a `data:` prefix,
 * the URL-safe alphabet, other white space, an empty text.
 */
export function decodeBase64(text: string): Buffer | null {
  const joined = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
  if (joined.length === 0 || joined.length % 4 !== 0) return null;
  if (!isAscii(joined) || joined.includes('-') || joined.includes('_')) return null;
  const bytes = Buffer.from(joined, 'base64');
  return bytes.length === decodedLength(joined) ? bytes : null;
}

/**
 * The bytes that a text must decode to. Node skips characters that it does not know and stops at a "=", so that one of them
 * anywhere makes the result shorter. It reads the URL-safe alphabet, too, and only the low byte of a character: both are ruled
 * out before.
 */
function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** Whether a text is ASCII: every other character takes more than one byte in UTF-8. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
