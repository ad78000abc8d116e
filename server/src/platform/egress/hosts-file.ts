import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 5000;
const PLACE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

let known: ReadonlySet<string> = new Set();
let readAt = Number.NEGATIVE_INFINITY;

/** The names of this machine's hosts file, in small letters; read again after five seconds. */
export function namesInHosts(): ReadonlySet<string> {
  const now = performance.now();
  if (now - readAt < READ_EVERY_MS) return known;
  readAt = now;
  known = namesIn(textOf(PLACE));
  return known;
}

/** The names in a text of lines such as `10.0.0.1 files files.example # ours`. */
export function namesIn(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) => (line.split('#')[0] ?? '').trim().toLowerCase());
  return new Set(lines.flatMap((line) => line.split(/\s+/).slice(1)));
}

function textOf(place: string): string {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return ''; // a machine need not have one
  }
}
