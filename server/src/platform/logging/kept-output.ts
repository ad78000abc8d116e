import { fstatSync, readlinkSync } from 'node:fs';

export interface OutputPlaces {
  /** A descriptor. */
  readonly output: number;
  /** systemd's JOURNAL_STREAM: device and inode of the stream that goes into the journal. */
  readonly journalStream: string | null;
  /** Where a container's first process writes, which is the container's log. */
  readonly containerOutput?: string;
}

/**
 * Whether what is written there is kept by a supervisor: by systemd's journal, or as the log of a container. A terminal, and
 * the pipe of a program that reads it, are neither, also within a container.
 */
export function isKept({ output, journalStream, containerOutput = '/proc/1/fd/1' }: OutputPlaces): boolean {
  try {
    const { dev, ino } = fstatSync(output);
    if (journalStream === `${dev}:${ino}`) return true;
    return readlinkSync(`/proc/self/fd/${output}`) === readlinkSync(containerOutput);
  } catch {
    return false; // another system, or a first process that is none of our business
  }
}
