import type { Source } from './draft.ts';

/** The whole body may have 10 MiB, and base64 makes four bytes of three. */
const MOST_BYTES = 7_800_000;

/** A chosen file as the API takes it. Throws a sentence for people when it is too large or cannot be read. */
export async function readFile(file: File): Promise<Source> {
  if (file.size > MOST_BYTES) {
    throw new Error('A file may have up to 7.8 MB. For a larger one, give its URL.');
  }
  if (file.size === 0) throw new Error('The file is empty.');
  return { kind: 'file', name: file.name, bytes: file.size, type: file.type, base64: await base64Of(file) };
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(new Error('The file could not be read.'));
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.readAsDataURL(file);
  });
}
