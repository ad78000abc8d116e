/** Codes of faults that every document would meet: a full disk, too many open files. */
const OF_ALL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO']);

/** Whether the file system refused something of this document alone: a name that is too long, a folder where a file should be. */
export function isOfTheFileSystem(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { errno, code = '' } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' && !OF_ALL.has(code);
}

/** The code of a fault of the file system, and its message without the code. */
export function fileFault({ code = 'unreadable', message }: NodeJS.ErrnoException): { code: string; message: string } {
  return { code, message: message.replace(`${code}: `, '') };
}
