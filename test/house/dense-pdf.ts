const COLUMNS = 200;
/** As many words as positions are kept of on one page. */
export const WORDS_OF_A_DENSE_PAGE = 20_000;

/** A small file whose pages, which share one content, have tens of thousands of words each. */
export function densePdf(pages: number, words = WORDS_OF_A_DENSE_PAGE): Buffer {
  const rows = words / COLUMNS;
  const row = `(${Array(COLUMNS).fill('ab').join(' ')}) Tj 0 -3 Td\n`;
  const content = `BT /F 1.2 Tf 20 800 Td\n${row.repeat(rows)}ET`;
  const kids = Array.from({ length: pages }, (_, index) => `${index + 5} 0 R`);
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 3 0 R >> >> >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...kids.map(() => page),
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
