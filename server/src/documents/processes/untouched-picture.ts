import type { PagePicture, PictureDecoder, ScaledPicture } from '../formats/document.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import type { PictureHeader } from '../pictures/picture-header.ts';
import type { PictureProcesses, PictureWork } from './picture-processes.ts';

/** Pixels of a long task, over all passes: about two seconds of a decoder. */
const LONG_PIXELS = 200e6;

/** The memory that decoding a picture takes, and whether it takes long, by its header. */
export function decodingOf(header: PictureHeader): Pick<PictureWork<never>, 'decodedBytes' | 'isLong'> {
  const pixels = header.width * header.height;
  return { decodedBytes: pixels * header.bytesPerPixel, isLong: pixels * (header.passes ?? 1) > LONG_PIXELS };
}

/** Decodes a picture that is sent to engines as it came; its header tells what that takes. */
export class UntouchedPicture implements PictureDecoder {
  readonly #processes: PictureProcesses;
  readonly #decoding: ReturnType<typeof decodingOf>;

  constructor(processes: PictureProcesses, header: PictureHeader) {
    this.#processes = processes;
    this.#decoding = decodingOf(header);
  }

  async scale({ bytes, width, height }: PagePicture, scale: number, client: DocumentClient): Promise<ScaledPicture> {
    const task = { kind: 'scale', width, height, scale } as const;
    const { value, bytes: made } = await this.#processes.run({ bytes, task, ...this.#decoding }, client);
    return { ...value, bytes: made };
  }

  async deskew({ bytes, mimeType }: PagePicture, leastDegrees: number, client: DocumentClient) {
    const task = { kind: 'deskew', mimeType, leastDegrees } as const;
    const { decodedBytes, isLong } = this.#decoding;
    const work = { bytes, task, decodedBytes: 2 * decodedBytes, isLong }; // the straight picture beside it
    const { value, bytes: made } = await this.#processes.run(work, client);
    return value && { ...value, bytes: made };
  }

  async isBlank({ bytes, width, height }: PagePicture, client: DocumentClient): Promise<boolean> {
    const task = { kind: 'blank', width, height } as const;
    return (await this.#processes.run({ bytes, task, ...this.#decoding }, client)).value;
  }
}
