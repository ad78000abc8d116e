import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a temporary file with these bytes, open at its beginning, whose name is removed before they are written: nobody else can
 * open it, and no crash leaves it behind. Windows keeps the name until the file is closed.
 */
export async function withoutName(bytes: Buffer): Promise<FileHandle> {
  const path = join(tmpdir(), `ocr-router-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
