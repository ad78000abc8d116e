import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { asCurl } from './as-curl.ts';

const UNDERSTOOD = { engine: 'tesseract', inputType: 'url' };

it('survives a shell, whatever the fields hold', () => {
  const url = `https://example.com/it's $(touch /tmp/x) \`id\` "a" \\.pdf`;
  const command = asCurl('http://127.0.0.1:8080/', { understood: { ...UNDERSTOOD, url }, outputFormat: 'json' });
  const seen = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }; uuidgen() { echo u; }\n${command}`], {
    env: { ...process.env, OCR_ROUTER_KEY: 'k' },
  })
    .toString()
    .split('\0');
  expect(seen).toContain('http://127.0.0.1:8080/v1/ocr');
  expect(seen).toContain('Authorization: Bearer k');
  expect(JSON.parse(seen[seen.indexOf('-d') + 1] ?? '').input.url).toBe(url);
});
