import { createHash } from 'node:crypto';
import { lock } from './pdf-encryption.ts';

/** What one page of a test PDF shows; drawn in this order: picture, text, content. */
export interface PdfPage {
  /** Points; A4 unless given. */
  readonly size?: readonly [width: number, height: number];
  readonly rotate?: 0 | 90 | 180 | 270;
  readonly picture?: PdfPicture;
  /** Latin-1, one line of the page for each line. */
  readonly text?: string;
  /** Points of the first line's baseline from the left and from the bottom edge. */
  readonly textAt?: readonly [x: number, y: number];
  /** As recognised text lies over a scan: present, but not drawn. */
  readonly invisible?: boolean;
  /** `unmapped`: glyphs that draw boxes and say of no character what it is. */
  readonly font?: 'Helvetica' | 'unmapped';
  /** What is filled into a form field at the foot of the page. */
  readonly field?: string;
  /** Dictionaries of further annotations. */
  readonly annotations?: readonly string[];
  /** Further drawing operators; `/fourBytes`, `/tall`, `/flat` and `/nameless` are fonts, too. */
  readonly content?: string;
}

interface PdfPicture {
  readonly jpeg?: Buffer;
  /** In place of a JPEG: one bit a pixel, rows in whole bytes, 1 is white. */
  readonly bits?: Buffer;
  readonly width: number;
  readonly height: number;
  /** Points: left, bottom, width, height; the whole page unless given. */
  readonly box?: readonly [number, number, number, number];
}

export interface PdfOptions {
  /** With an empty `user` password anyone may read it. */
  readonly passwords?: { readonly user: string; readonly owner: string };
  /** A form that a reader has to lay out itself: the pages are only a stand-in. */
  readonly dynamicXfa?: boolean;
  /** A form that leaves it to the viewer how its fields look; its fields are none of the pages' `field`. */
  readonly needsAppearances?: boolean;
  /** The value of the page tree's `/Count`, where it should lie. */
  readonly count?: number;
}

const A4 = [595, 842] as const;
const LINE_POINTS = 14;
const FIELD_BOX = [72, 72, 200, 20] as const;

/** A small, correct PDF. Without pages it has an empty page tree. */
export function makePdf(pages: readonly PdfPage[], options: PdfOptions = {}): Buffer {
  const file = new ObjectList();
  const tree = file.reserve();
  const fonts = `/Helvetica ${file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')} 0 R /unmapped ${file.add(UNMAPPED_FONT)} 0 R /fourBytes ${addFourBytesFont(file)} 0 R /tall ${addFontOfHeight(file, 2100, -600)} 0 R /flat ${addFontOfHeight(file, 0, 0)} 0 R /nameless ${addNamelessFont(file)} 0 R`;
  const kids = pages.map((page) => addPage(file, page, { tree, fonts }));
  file.set(
    tree,
    `<< /Type /Pages /Count ${options.count ?? kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
  );
  const xfa = options.dynamicXfa
    ? ` /NeedsRendering true /AcroForm << /Fields [] /XFA ${file.add('<< >>', XFA)} 0 R >>`
    : '';
  const form = options.needsAppearances
    ? ` /AcroForm << /Fields [] /NeedAppearances true /DR << /Font << ${fonts} >> >> /DA (/Helvetica 12 Tf 0 g) >>`
    : '';
  const root = file.add(`<< /Type /Catalog /Pages ${tree} 0 R${xfa}${form} >>`);
  return file.serialise(root, options.passwords);
}

const UNMAPPED_FONT = `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0]
/FirstChar 32 /LastChar 126 /Widths [${'600 '.repeat(95)}] /Resources << >> /CharProcs << /box 1 0 R >>
/Encoding << /Type /Encoding /Differences [32${' /box'.repeat(95)}] >> >>`;
const BOX_GLYPH = '600 0 0 0 600 700 d1 50 0 500 700 re f';
const XFA = Buffer.from(
  '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/2.8/"/></xdp:xdp>',
);

/** A font that claims to reach from `descent` to `ascent`, in thousandths of its size; it has small letters, which are boxes, an i that is small. */
function addFontOfHeight(file: ObjectList, ascent: number, descent: number): number {
  const height = Math.min(ascent, 700);
  const glyph = file.add('<< >>', Buffer.from(`600 0 0 0 500 ${height} d1 50 0 400 ${height} re f`));
  const dot = file.add('<< >>', Buffer.from(`200 0 0 0 100 ${height / 7} d1 50 0 50 ${height / 7} re f`));
  const names = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i)).map((letter) => `/${letter}`);
  return file.add(`<< /Type /Font /Subtype /Type3 /FontBBox [0 ${descent} 0 ${ascent}] /FontMatrix [0.001 0 0 0.001 0 0]
/FirstChar 97 /LastChar 122 /Widths [${names.map((name) => (name === '/i' ? 200 : 600)).join(' ')}] /Resources << >>
/CharProcs << ${names.map((name) => `${name} ${name === '/i' ? dot : glyph} 0 R`).join(' ')} >>
/Encoding << /Type /Encoding /Differences [97 ${names.join(' ')}] >> >>`);
}

/** Helvetica that says of its exclamation mark and of its blank that they are no character, as some programs does of ligatures. */
function addNamelessFont(file: ObjectList): number {
  const map = file.add('<< >>', NAMELESS_MAP);
  return file.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${map} 0 R >>`,
  );
}

const NAMELESS_MAP = Buffer.from(
  `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <00> <ff> endcodespacerange
2 beginbfchar <20> <0000> <21> <0000> endbfchar
endcmap CMapName currentdict /CMap defineresource pop end end`,
);

/** Its codes have four bytes, and nothing says which characters they are: PDFium takes the codes for them. */
function addFourBytesFont(file: ObjectList): number {
  const encoding = file.add('<< /Type /CMap /CMapName /FourBytes >>', FOUR_BYTES_MAP);
  const glyphs = `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /FourBytes /DW 600 /CIDToGIDMap /Identity
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`;
  return file.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /FourBytes /Encoding ${encoding} 0 R /DescendantFonts [${glyphs}] >>`,
  );
}

const FOUR_BYTES_MAP = Buffer.from(
  `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
2 begincodespacerange <00> <7f> <f0808080> <f7bfbfbf> endcodespacerange
1 begincidchar <f0a8a780> 1 endcidchar
endcmap CMapName currentdict /CMap defineresource pop end end`,
);

function addPage(file: ObjectList, page: PdfPage, shared: { tree: number; fonts: string }): number {
  const [width, height] = page.size ?? A4;
  const picture = page.picture && addPicture(file, page.picture);
  const content = file.add('<< >>', Buffer.from(drawing(page, width, height), 'latin1'));
  const fields = page.field === undefined ? [] : [addField(file, page.field, shared.fonts)];
  const annotations = [...fields, ...(page.annotations ?? []).map((each) => file.add(each))];
  const annots = annotations.length > 0 ? ` /Annots [${annotations.map((each) => `${each} 0 R`).join(' ')}]` : '';
  return file.add(
    `<< /Type /Page /Parent ${shared.tree} 0 R /MediaBox [0 0 ${width} ${height}]${page.rotate ? ` /Rotate ${page.rotate}` : ''}
/Resources << /Font << ${shared.fonts} >>${picture ? ` /XObject << /Picture ${picture} 0 R >>` : ''} >> /Contents ${content} 0 R${annots} >>`,
  );
}

function addPicture(file: ObjectList, { jpeg, bits, width, height }: PdfPicture): number {
  const stored = jpeg
    ? '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode'
    : '/ColorSpace /DeviceGray /BitsPerComponent 1';
  const dictionary = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${stored} >>`;
  return file.add(dictionary, jpeg ?? bits);
}

function addField(file: ObjectList, value: string, fonts: string): number {
  const [left, bottom, width, height] = FIELD_BOX;
  const look = file.add(
    `<< /Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] /Resources << /Font << ${fonts} >> >> >>`,
    Buffer.from(`BT /Helvetica 12 Tf 2 6 Td (${escaped(value)}) Tj ET`, 'latin1'),
  );
  return file.add(
    `<< /Type /Annot /Subtype /Widget /F 4 /FT /Tx /T (field) /V (${escaped(value)})
/Rect [${left} ${bottom} ${left + width} ${bottom + height}] /AP << /N ${look} 0 R >> >>`,
  );
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}

function drawing(page: PdfPage, width: number, height: number): string {
  const [x, y, w, h] = page.picture?.box ?? [0, 0, width, height];
  const picture = page.picture ? `q ${w} 0 0 ${h} ${x} ${y} cm /Picture Do Q\n` : '';
  return picture + (page.text === undefined ? '' : textOperators(page, page.text, height)) + (page.content ?? '');
}

function textOperators(page: PdfPage, text: string, height: number): string {
  const [x, y] = page.textAt ?? [72, height - 72];
  const lines = text.split('\n').map((line) => `(${escaped(line)}) Tj T*`);
  return `BT /${page.font ?? 'Helvetica'} 12 Tf ${LINE_POINTS} TL ${page.invisible ? 3 : 0} Tr ${x} ${y} Td\n${lines.join('\n')}\nET\n`;
}

interface PdfObject {
  readonly dictionary: string;
  readonly stream?: Buffer | undefined;
}

/** Numbered objects and their cross-reference table. Object 1 is the glyph of the unmapped font. */
class ObjectList {
  readonly #objects: PdfObject[] = [{ dictionary: '<< >>', stream: Buffer.from(BOX_GLYPH) }];

  add(dictionary: string, stream?: Buffer): number {
    return this.#objects.push({ dictionary, stream });
  }

  reserve(): number {
    return this.add('null');
  }

  set(number: number, dictionary: string): void {
    this.#objects[number - 1] = { dictionary };
  }

  serialise(root: number, passwords: PdfOptions['passwords']): Buffer {
    const id = createHash('md5')
      .update(JSON.stringify(this.#objects.map((object) => object.dictionary)))
      .digest();
    const locked = passwords && lock(passwords, id);
    const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    const offsets: number[] = [];
    let length = parts[0]?.length ?? 0;
    this.#objects.forEach(({ dictionary, stream }, index) => {
      const body = stream && locked ? locked.encrypt(stream, index + 1) : stream;
      const part = objectBytes(index + 1, dictionary, body);
      offsets.push(length);
      length += part.length;
      parts.push(part);
    });
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const trailer = `/Size ${offsets.length + 1} /Root ${root} 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>]${locked ? ` /Encrypt ${locked.dictionary}` : ''}`;
    parts.push(
      Buffer.from(
        `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}trailer\n<< ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

function objectBytes(number: number, dictionary: string, stream: Buffer | undefined): Buffer {
  if (!stream) return Buffer.from(`${number} 0 obj\n${dictionary}\nendobj\n`, 'latin1');
  const opened = dictionary.replace(/>>\s*$/, `/Length ${stream.length} >>`);
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n${opened}\nstream\n`, 'latin1'),
    stream,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}
