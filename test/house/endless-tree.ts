/**
 * A small PDF whose page tree has no page and 2^levels ways through it: each node names the next one twice. Whoever
 * counts its pages never ends.
 */
export function endlessTree(levels = 60): Buffer {
  const nodes = Array.from({ length: levels }, (_, level) => {
    const next = level + 3;
    const kids = level === levels - 1 ? '' : `${next} 0 R ${next} 0 R`;
    return `${level + 2} 0 obj\n<< /Type /Pages /Kids [${kids}] >>\nendobj\n`;
  });
  const objects = ['1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n', ...nodes];
  const head = '%PDF-1.5\n';
  let at = head.length;
  const offsets = objects.map((object) => {
    const offset = at;
    at += object.length;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.from(head + objects.join('') + end, 'latin1');
}
