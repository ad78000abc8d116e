import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const HOME = resolve(import.meta.dirname, '../../desktop');
const packaging = parse(readFileSync(resolve(HOME, 'electron-builder.yml'), 'utf8'));

it('is a configuration that electron-builder knows', () => {
  const schema = JSON.parse(readFileSync(createRequire(HOME).resolve('app-builder-lib/scheme.json'), 'utf8'));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  expect([validate(packaging), validate.errors]).toEqual([true, null]);
});

it('turns off what Electron has on for developers', () => {
  expect(packaging.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  });
  expect(packaging.asar).toBe(true);
});

it('packages for Linux, Windows and the Mac', () => {
  expect(packaging).toMatchObject({
    linux: { target: ['AppImage', 'deb'] },
    win: { target: ['nsis'] },
    mac: { target: ['dmg', 'zip'] },
  });
});

it('builds a main process and a preload that need no module beside them', () => {
  const main = readFileSync(resolve(HOME, 'dist/main/main.js'), 'utf8');
  const preload = readFileSync(resolve(HOME, 'dist/preload/preload.cjs'), 'utf8');
  const imported = [...main.matchAll(/^import .* from "([^"]+)";/gm)].map(([, name]) => name);
  expect(imported.filter((name) => name !== 'electron' && !name?.startsWith('node:'))).toEqual([]);
  expect([...preload.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual(['electron']);
});

it('builds a page without scripts and styles inside', () => {
  const page = readFileSync(resolve(HOME, 'dist/renderer/index.html'), 'utf8');
  expect(page).toContain('<div id="root">');
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|https?:\/\//);
});
