import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { CHANNEL_NAMES } from '../../desktop/src/shared/names.ts';
import { electron } from '../house/electron-stub.ts';
import { until } from '../house/until.ts';

vi.mock('electron', async () => (await import('../house/electron-stub.ts')).electron);

const TOKEN = 'sk-ocr-a-token-that-must-not-come-out';
const GATEWAY = { name: 'Here', url: 'http://127.0.0.1:9', colour: '#123456', readOnly: false, production: false };

const { app, ipcMain, session, shell } = electron;
const { defaultSession } = session;

beforeAll(async () => {
  app.userData = await mkdtemp(join(tmpdir(), 'ocr-router-console-'));
  await import('../../desktop/src/main/main.ts');
  await until('the window is open', () => electron.BrowserWindow.opened.length === 1);
  ipcMain.listeners.get('bridge.hello')?.(ownPage());
});

function ownWindow() {
  const [window] = electron.BrowserWindow.opened;
  if (!window) throw new Error('no window was opened');
  return window;
}

function ownPage() {
  const { webContents } = ownWindow();
  return { sender: webContents, senderFrame: webContents.mainFrame };
}

async function call(channel: string, input?: unknown, event: unknown = ownPage()): Promise<unknown> {
  return ipcMain.handlers.get(channel)?.(event, input);
}

it('opens one window whose page is isolated, sandboxed and without Node', () => {
  expect(app.sandboxed).toBe(true);
  expect(ownWindow().loaded).toBe('app://console/');
  expect(ownWindow().options.webPreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  });
});

it('gives its scheme an origin and no other privilege', () => {
  expect(electron.protocol.schemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
});

it('serves the page under a policy that lets nothing in but its own files', async () => {
  const answer = defaultSession.pages?.({ url: 'app://console/', method: 'GET' });
  const policy = answer?.headers.get('content-security-policy') ?? '';
  const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1];
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
  expect(nonce).toBeDefined();
  expect(await answer?.text()).toContain(`<meta name="csp-nonce" content="${nonce}" />`);
});

it.each([
  'app://console/../package.json',
  'app://console/%2e%2e/%2e%2e/package.json',
  'app://elsewhere/',
  'app://user@console/',
  'file:///etc/passwd',
])('serves nothing for %s', (url) => {
  expect(defaultSession.pages?.({ url, method: 'GET' }).ok).toBe(false);
});

it('answers every channel', () => {
  expect([...ipcMain.handlers.keys()].sort()).toEqual([...CHANNEL_NAMES].sort());
});

it.each(CHANNEL_NAMES)('%s refuses everybody but the top frame of its own page', async (channel) => {
  const { webContents } = ownWindow();
  const stranger = new electron.BrowserWindow({ webPreferences: {} }).webContents;
  const strangers = [
    { sender: webContents, senderFrame: { url: 'app://console/' } }, // a frame inside the page
    { sender: webContents, senderFrame: null }, // a frame that is gone
    { sender: stranger, senderFrame: stranger.mainFrame }, // another window
  ];
  for (const event of strangers) await expect(call(channel, {}, event)).rejects.toThrow('may not call');
  webContents.mainFrame.url = 'https://console/';
  try {
    await expect(call(channel, {})).rejects.toThrow('may not call');
  } finally {
    webContents.mainFrame.url = 'app://console/';
  }
});

it('refuses every permission, device and capture, and downloads of what it has not made itself', () => {
  const granted = vi.fn();
  const answers = {
    permissionCheck: defaultSession.set.get('permissionCheck')?.(),
    devicePermission: defaultSession.set.get('devicePermission')?.(),
  };
  (defaultSession.set.get('permissionRequest') as (...args: unknown[]) => void)({}, 'media', granted);
  (defaultSession.set.get('displayMedia') as (...args: unknown[]) => void)({}, granted);
  (defaultSession.set.get('bluetoothPairing') as (...args: unknown[]) => void)({}, granted);
  const refused = (url: string): boolean => {
    const event = { preventDefault: vi.fn() };
    defaultSession.emit('will-download', event, { getURL: () => url });
    return event.preventDefault.mock.calls.length > 0;
  };
  expect(refused('blob:app://console/0b5e')).toBe(false);
  const others = ['https://example.com/x.exe', 'app://console/index.html', 'blob:https://example.com/0b5e', 'data:,x'];
  expect(others.map(refused)).toEqual(others.map(() => true));
  expect(answers).toEqual({ permissionCheck: false, devicePermission: false });
  expect(granted.mock.calls).toEqual([[false], [{}], [{ confirmed: false }]]);
});

it('lets the page load nothing from elsewhere', () => {
  const cancelled = (url: string) => {
    let verdict: boolean | undefined;
    defaultSession.beforeRequest?.({ url }, ({ cancel }) => {
      verdict = cancel;
    });
    return verdict;
  };
  expect(cancelled('app://console/assets/index.js')).toBe(false);
  expect(['https://example.com/', 'http://127.0.0.1:8080/', 'file:///etc/passwd', 'data:,x'].map(cancelled)).toEqual(
    Array(4).fill(true),
  );
});

it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])('refuses %s', (name) => {
  const event = { preventDefault: vi.fn() };
  ownWindow().webContents.emit(name, event);
  expect(event.preventDefault).toHaveBeenCalledOnce();
});

it('opens no window, and pages of the gateways only in the system’s browser', async () => {
  await call('profiles.save', GATEWAY);
  const elsewhere = [
    'https://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://127.0.0.1:9@evil.example/',
  ];
  for (const url of [...elsewhere, 'http://127.0.0.1:9/docs']) {
    expect(ownWindow().webContents.openWindow({ url })).toEqual({ action: 'deny' });
    if (url !== 'http://127.0.0.1:9/docs') {
      expect(await call('external.open', { url })).toEqual({ refused: 'Only pages of the gateways can be opened.' });
    }
  }
  await until('the gateway’s page is opened', () => shell.opened.length > 0);
  expect(shell.opened).toEqual(['http://127.0.0.1:9/docs']);
});

it('keeps a token sealed, and lets it out nowhere', async () => {
  const said = [await call('profiles.save', { ...GATEWAY, name: 'With a key', token: TOKEN })];
  const { output } = said[0] as { output: { id: string } };
  said.push(await call('profiles.select', { id: output.id }));
  for (const channel of ['profiles.list', 'app.info']) said.push(await call(channel));
  said.push(await call('graphql.execute', { query: '{ serviceStatus { ok } }', variables: {} }));
  said.push(await call('profiles.save', { ...GATEWAY, token: `${TOKEN}\r\nx: y` }));
  said.push(ownWindow().webContents.sent);
  expect(JSON.stringify(said)).toContain('"hasToken":true');
  expect(JSON.stringify(said)).not.toContain(TOKEN);
  const files = await readdir(app.userData);
  const kept = await Promise.all(files.map((file) => readFile(join(app.userData, file), 'utf8')));
  expect(files).toContain('tokens.json');
  expect(kept.join()).not.toContain(TOKEN);
});

it('leads a click on a notification to what it is about', async () => {
  const { nativeNotices } = await import('../../desktop/src/main/native-notices.ts');
  const opened: string[] = [];
  nativeNotices((path) => opened.push(path))({
    title: 'Reader is down',
    body: '',
    path: '/engines/reader',
    alerts: [],
  });
  const [notification] = electron.Notification.shown;
  notification?.emit('click');
  expect(notification?.options.title).toBe('Reader is down');
  expect(opened).toEqual(['/engines/reader']);
});

it('tries the gateway at once when the machine wakes up', async () => {
  const states = () =>
    ownWindow()
      .webContents.sent.filter(([, event]) => event === 'connection.state')
      .map(([, , payload]) => (payload as { state: string }).state);
  await until('the gateway is found away', () => states().at(-1) === 'offline');
  electron.powerMonitor.emit('resume');
  expect(states().at(-1)).toBe('connecting');
});

it('loads a page that died again, but not over and over', () => {
  const { webContents } = ownWindow();
  webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  expect(webContents.reloads).toBe(1);
});

it('keeps tokens in memory where the system has no key store', async () => {
  const { systemVault } = await import('../../desktop/src/main/system-vault.ts');
  electron.safeStorage.backend = 'basic_text';
  expect(systemVault(app.userData, 'linux').storage).toBe('memory');
  expect(systemVault(app.userData, 'darwin').storage).toBe('keychain');
});

it('shows the window that is there when it is started twice, and ends with its last window', () => {
  const { shown } = ownWindow();
  app.emit('second-instance');
  expect(ownWindow().shown).toBe(shown + 1);
  expect(electron.BrowserWindow.opened.filter(({ loaded }) => loaded !== '')).toHaveLength(1);
  app.emit('window-all-closed');
  expect(app.quits).toBe(process.platform === 'darwin' ? 0 : 1);
  app.emit('will-quit');
});
