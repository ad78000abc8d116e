import { join } from 'node:path';
import { BrowserWindow } from 'electron';
import { PAGE_ADDRESS } from './page-address.ts';

/** A page that dies more often than this is not loaded again by itself. */
const CALM_MS = 10_000;

/** The one window of the console. */
export function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 960,
    minHeight: 600,
    title: 'ocr-router console',
    show: false,
    backgroundColor: '#11151d',
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  let diedAtMs = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const calm = performance.now() - diedAtMs > CALM_MS;
    diedAtMs = performance.now();
    if (reason !== 'clean-exit' && calm) window.webContents.reload();
  });
  // A page that cannot be loaded shows as an empty window, and says so in the terminal.
  window.loadURL(PAGE_ADDRESS).catch((error: Error) => console.error(error.message));
  return window;
}

/** Brings it to the front. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
