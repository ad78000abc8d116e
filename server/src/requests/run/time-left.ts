import type { OcrRequest } from '../model/ocr-request.ts';

/**
 * Milliseconds that a synchronous request had left when its run began; negative when it waited for longer than its time.
 * Both of its times are of one clock, the database's or this process's: those of two machines differ.
 */
export function timeLeft(
  { createdAt, startedAt }: Pick<OcrRequest, 'createdAt' | 'startedAt'>,
  limitMs: number,
): number {
  return createdAt.getTime() + limitMs - (startedAt ?? new Date()).getTime();
}
