/** What a call was refused or failed with, in the contract's words. */
export class OcrError extends Error {
  override readonly name = 'OcrError';
  /** `error.code` of the contract; `connection` where no answer of a gateway came. */
  readonly code: string;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The id to name in a report. */
  readonly requestId: string | null;

  constructor(
    message: string,
    {
      code,
      status,
      requestId = null,
      cause,
    }: { code: string; status: number; requestId?: string | null; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}
