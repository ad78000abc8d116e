import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeSample } from './code-samples.ts';
import type { OcrBody } from './request-body.ts';

const NAME = `it's "mine" $HOME.png`;
const BODY: OcrBody = {
  engine: `it's`,
  settings: { language: '$(id)', detect_tables: true },
  input: { type: 'base64', mime_type: 'image/png', data_base64: 'eA==' },
};

it('makes a command that a shell takes as it is meant, whatever the names are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-code-'));
  writeFileSync(join(folder, NAME), 'x');
  // In the place of curl: something that keeps what it is given. The base64 of macOS has no `-w`; this one breaks each line.
  const programs = 'curl() { cat > body; }\nbase64() { [ $# = 0 ] && command base64 -w 1; }';
  const command = codeSample('curl', { api: 'http://127.0.0.1:1', body: BODY, fileName: NAME });
  const { status } = spawnSync('bash', ['-c', `${programs}\n${command}`], { cwd: folder });
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'body'), 'utf8'))).toEqual(BODY);
});

it('puts a URL into the command itself', () => {
  const body: OcrBody = { engine: 'reader', input: { type: 'url', url: `https://example.com/a'b.png` } };
  const command = codeSample('curl', { api: 'http://127.0.0.1:1', body, fileName: null });
  const { stdout } = spawnSync('bash', ['-c', `curl() { printf %s "\${@: -1}"; }\n${command}`], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual(body);
});

it('writes true as Python has it, and reads the file under its name', () => {
  const python = codeSample('Python', { api: 'http://127.0.0.1:1', body: BODY, fileName: NAME });
  expect(python).toContain('"detect_tables": True');
  expect(python).toContain(`open(${JSON.stringify(NAME)}, "rb")`);
  expect(python).toContain('"data_base64": data');
});
