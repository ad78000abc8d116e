import { join } from 'node:path';
import { app, type BrowserWindow, clipboard, powerMonitor, session, shell } from 'electron';
import { ConsoleCore } from '../core/console-core.ts';
import { ConsoleFiles } from '../core/page/console-files.ts';
import { trustSystem } from '../core/trust-system.ts';
import { answerBridge } from './bridge-ipc.ts';
import { openWindow, showWindow } from './console-window.ts';
import { lockContents, lockSession } from './lock-down.ts';
import { setMenu } from './menu.ts';
import { nativeNotices } from './native-notices.ts';
import { claimScheme, servePage } from './serve-page.ts';
import { systemVault } from './system-vault.ts';

let window: BrowserWindow | null = null;

app.enableSandbox();
claimScheme();
if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(giveUp);
else app.quit();

/** The core with Electron's own ways to keep a secret, to notify and to wake up. */
async function start(): Promise<void> {
  trustSystem();
  const core = await openCore();
  lockSession(session.defaultSession);
  lockContents((url) => void openAllowed(core, url));
  servePage(session.defaultSession, await ConsoleFiles.read(join(import.meta.dirname, '../renderer')));
  answerBridge(core, () => window?.webContents ?? null);
  setMenu(process.platform);
  powerMonitor.on('resume', () => core.wake());
  powerMonitor.on('unlock-screen', () => core.wake());
  app.on('second-instance', show);
  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', () => core[Symbol.dispose]());
  show();
}

function openCore(): Promise<ConsoleCore> {
  const folder = app.getPath('userData');
  const core = ConsoleCore.open({
    info: { version: app.getVersion(), shell: 'electron' },
    folder,
    vault: systemVault(folder, process.platform),
    fixedProfile: null,
    fetch,
    now: Date.now,
    openExternal: (url) => shell.openExternal(url),
    writeClipboard: (text) => clipboard.writeText(text),
    zoom: (percent) => window?.webContents.setZoomFactor(percent / 100),
    notify: nativeNotices((path) => {
      show();
      void core.then((opened) => opened.tell('navigate', { path }));
    }),
  });
  return core;
}

function show(): void {
  if (window) {
    showWindow(window);
    return;
  }
  window = openWindow();
  window.on('closed', () => {
    window = null;
  });
}

/** A link of the page: it goes the same way as a call of `external.open`. */
async function openAllowed(core: ConsoleCore, url: string): Promise<void> {
  using page = core.attach(() => {});
  await page.invoke('external.open', { url }).catch(() => {}); // refused: nothing opens
}

function giveUp(error: Error): void {
  console.error(error.message);
  app.exit(1);
}
