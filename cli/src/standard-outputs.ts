const FAILED = 2;

/**
 * Lets a command go on where what it says cannot be written: what a run has begun is paid for. Where its result could not be
 * written, as on a full disk, it says so and ends with 2.
 */
export function endureFaultsOfOutputs({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  let isTold = false;
  stderr.on('error', () => undefined); // nowhere is left to say it
  stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    if (isTold || isUnread(code, stdout.isTTY)) return;
    isTold = true;
    stderr.write(`ocr-router: the output cannot be written: ${message}\n`);
    process.once('exit', () => {
      process.exitCode = FAILED;
    });
  });
}

/** Whether nobody reads an output any more: who did has left, or its terminal is closed. A disk that fails has the same code as that. */
function isUnread(code: string, isTerminal: boolean): boolean {
  return code === 'EPIPE' || (code === 'EIO' && isTerminal);
}
