import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { installPackage } from './debian-package.ts';

/** The shell first: it has no window's machinery and takes little more than half of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Debian's, the one to try first. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Why there is no Chromium to test with; null when there is one. As root on Debian it is installed when missing. */
export function missingChromium(): string | null {
  if (chromiumPath() !== null) return null;
  if (process.env['CHROMIUM_PATH']) return `CHROMIUM_PATH names no program: ${process.env['CHROMIUM_PATH']}`;
  for (const name of PACKAGES) {
    installPackage(name);
    if (chromiumPath() !== null) return null;
  }
  return 'Chromium is not installed, and cannot be installed here (CHROMIUM_PATH names one)';
}

let opened: Promise<Browser> | undefined;

/**
 * A Chromium without a window, one for all files of a process that ask for it: each opens contexts of its own and closes
 * them. It ends with the process.
 */
export function sharedChromium(): Promise<Browser> {
  opened ??= openChromium();
  return opened;
}

/** A Chromium of its own, without a window; `textPx` is the size of text that its reader has chosen. */
export async function openChromium({ textPx }: { readonly textPx?: number } = {}): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('there is no Chromium');
  const text = textPx === undefined ? [] : [`--blink-settings=defaultFontSize=${textPx}`];
  // Its own sandbox asks for what a container has not; the pages are ours.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...text];
  return chromium.launch({ executablePath, args });
}

function chromiumPath(): string | null {
  const wish = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = wish ? [wish] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((path) => existsSync(path)) ?? null;
}
