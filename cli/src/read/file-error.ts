/** No other document fares better. */
const OF_ALL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO']);

/** Whether the file system refused something of one document: a name that is too long, a folder where a file should be. */
export function isOfTheFileSystem(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { errno, code = '' } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' && !OF_ALL.has(code);
}

/** Its code, and what it says beside that. */
export function fileFault({ code = 'unreadable', message }: NodeJS.ErrnoException): { code: string; message: string } {
  return { code, message: message.replace(`${code}: `, '') };
}
