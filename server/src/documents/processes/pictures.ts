import type { PagePicture, ShownPage } from '../formats/document.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { isBlank } from '../pictures/blank.ts';
import { untouched } from '../pictures/normalise.ts';
import type { PictureFiles } from '../pictures/picture-file.ts';
import type { PictureHeader } from '../pictures/picture-header.ts';
import { type PictureFormat, readHeader, requireSize } from '../pictures/read-header.ts';
import type { PictureProcesses } from './picture-processes.ts';
import { decodingOf, UntouchedPicture } from './untouched-picture.ts';

export interface PictureWish {
  /** The frame of a multi-page TIFF, counted from 1. */
  readonly frame: number;
  readonly decoded: boolean;
  /** Whether a decoded picture comes as an open file. */
  readonly asFile: boolean;
  /** Whether the picture may be changed to read better; false: only what every engine needs is done. */
  readonly preprocess?: boolean | undefined;
  /** The resolution, where it is known better than the file tells it. */
  readonly dpi?: number;
}

type PictureBytes = Pick<PagePicture, 'bytes' | 'width' | 'height'>;

/** Formats whose headers this process reads itself, byte by byte; those of others take a decoder. */
const READ_HERE: readonly PictureFormat[] = ['png', 'jpeg', 'bmp'];
const WORST_BYTES_PER_PIXEL = 8;

/** Pictures of strangers: their headers are read here, they are decoded in processes of their own. */
export class Pictures {
  readonly #processes: PictureProcesses;
  readonly #files: PictureFiles;
  readonly #limits: { readonly maxPixels: number; readonly maxSentPixels: number };

  constructor(processes: PictureProcesses, files: PictureFiles, limits: { maxPixels: number; maxSentPixels: number }) {
    this.#processes = processes;
    this.#files = files;
    this.#limits = limits;
  }

  /** Reads the header of one frame. Throws `unprocessable_entity` where the file is broken or has too many pixels. */
  async header(
    bytes: Buffer,
    { format, frame }: { format: PictureFormat; frame: number },
    client: DocumentClient = {},
  ): Promise<PictureHeader & { frames: number }> {
    const { maxPixels } = this.#limits;
    if (READ_HERE.includes(format)) return readHeader(bytes, { format, frame, maxPixels });
    const task = { kind: 'header', format, frame } as const;
    const { value } = await this.#processes.run({ bytes, task, decodedBytes: 0 }, client);
    requireSize(value, maxPixels);
    return value;
  }

  /** Brings a picture into the form that engines receive; one that has it already is handed on as it is. */
  async normalise(
    bytes: Buffer,
    format: PictureFormat,
    wish: PictureWish,
    client: DocumentClient,
  ): Promise<PagePicture> {
    const { frame, decoded, asFile, preprocess } = wish;
    const header = await this.header(bytes, { format, frame }, client);
    const asItIs = untouched(bytes, { format, header, wanted: { decoded, ...this.#limits } });
    const page = shownPage(header);
    if (asItIs)
      return { ...asItIs, dpi: wish.dpi ?? asItIs.dpi, page, decoder: new UntouchedPicture(this.#processes, header) };
    const path = decoded && asFile ? await this.#files.reserve() : null;
    const task = { kind: 'normalise', format, frame, decoded, preprocess, path, ...this.#limits } as const;
    try {
      const { value, bytes: made } = await this.#processes.run({ bytes, task, ...decodingOf(header) }, client);
      const { size, ...said } = value;
      const facts = { ...said, dpi: wish.dpi ?? said.dpi };
      if (path === null) return { ...facts, page, bytes: made };
      return Object.assign(await this.#files.take(path, { ...facts, size }), { page });
    } catch (error) {
      if (path !== null) await this.#files.discard(path);
      throw error;
    }
  }

  /** Turns a picture into black and white, without specks and shadows; `radius` is about a letter's height. */
  async clean(picture: PictureBytes, radius: number, client: DocumentClient): Promise<Buffer> {
    const task = { kind: 'clean', radius } as const;
    const { bytes, width, height } = picture; // read once: it may be a file's
    const decodedBytes = width * height * WORST_BYTES_PER_PIXEL;
    return (await this.#processes.run({ bytes, task, decodedBytes }, client)).bytes;
  }

  /** Whether a page shows nothing at all. A picture that cannot be decoded is an error, not blank. */
  async isBlank(picture: PagePicture, client: DocumentClient): Promise<boolean> {
    return picture.decoder ? picture.decoder.isBlank(picture, client) : isBlank(picture); // the latter we have made
  }
}

const TURNED = 5;

/** The picture as a viewer shows it, before it is made smaller for engines. */
function shownPage({ width, height, orientation, dpi }: PictureHeader): ShownPage {
  const size = orientation >= TURNED ? { width: height, height: width } : { width, height };
  return { ...size, unit: 'pixel', dpi };
}
