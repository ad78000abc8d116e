import sharp from 'sharp';

/** One call that a scripted engine received. */
export class EngineCall {
  readonly engine: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** True once the caller closed the connection before it had an answer. */
  aborted = false;

  constructor(engine: string, headers: Record<string, unknown>, body: Record<string, unknown>) {
    this.engine = engine;
    this.headers = headers;
    this.body = body;
  }

  /** Everything that was said to the engine in words. */
  get prompt(): string {
    return this.#parts()
      .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
      .join('\n');
  }

  /** The document part, picture or file, as the engine received it. */
  get document(): { mimeType: string; bytes: Buffer } {
    const dataUrl = /"(data:[^;"]+;base64,[^"]+)"/.exec(JSON.stringify(this.body))?.[1] ?? '';
    const [, mimeType, data] = /^data:([^;]+);base64,(.+)$/.exec(dataUrl) ?? [];
    if (!mimeType || !data) throw new Error('the engine received no document');
    return { mimeType, bytes: Buffer.from(data, 'base64') };
  }

  /** The picture's size in pixels. */
  async size(): Promise<{ width: number; height: number }> {
    const { width, height } = await sharp(this.document.bytes).metadata();
    return { width, height };
  }

  /** Red, green and blue of one pixel. */
  async pixel(x: number, y: number): Promise<number[]> {
    const { data, info } = await sharp(this.document.bytes)
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (y * info.width + x) * info.channels;
    return info.channels < 3 ? [0, 0, 0].map(() => data[at] ?? -1) : [...data.subarray(at, at + 3)];
  }

  #parts(): Record<string, unknown>[] {
    const messages = (this.body['messages'] ?? []) as { content: unknown }[]; // what a chat completion holds
    return messages.flatMap(({ content }) =>
      typeof content === 'string' ? [{ text: content }] : (content as Record<string, unknown>[]),
    );
  }
}
