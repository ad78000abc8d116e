import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';

/** What the console's main process uses of `electron`, and what it did with it. Mocked in for the real module. */
type Handler = (event: unknown, ...args: unknown[]) => unknown;

class Contents extends EventEmitter {
  static #last = 0;
  readonly id = ++Contents.#last;
  readonly mainFrame = { url: 'app://console/' };
  readonly sent: [string, ...unknown[]][] = [];
  reloads = 0;
  openWindow: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  setWindowOpenHandler(handler: Contents['openWindow']): void {
    this.openWindow = handler;
  }
  send(...message: [string, ...unknown[]]): void {
    this.sent.push(message);
  }
  isDestroyed(): boolean {
    return false;
  }
  reload(): void {
    this.reloads += 1;
  }
}

class StubWindow extends EventEmitter {
  static readonly opened: StubWindow[] = [];
  readonly webContents = new Contents();
  readonly options: { webPreferences: Record<string, unknown> };
  loaded = '';
  shown = 0;
  constructor(options: StubWindow['options']) {
    super();
    this.options = options;
    StubWindow.opened.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(address: string): Promise<void> {
    this.loaded = address;
  }
  isMinimized(): boolean {
    return false;
  }
  show(): void {
    this.shown += 1;
  }
  focus(): void {}
}

class StubNotification extends EventEmitter {
  static readonly shown: StubNotification[] = [];
  static isSupported(): boolean {
    return true;
  }
  readonly options: { title: string; body: string };
  constructor(options: StubNotification['options']) {
    super();
    this.options = options;
  }
  show(): void {
    StubNotification.shown.push(this);
  }
}

const app = Object.assign(new EventEmitter(), {
  sandboxed: false,
  quits: 0,
  userData: tmpdir(),
  enableSandbox(): void {
    app.sandboxed = true;
  },
  requestSingleInstanceLock: (): boolean => true,
  whenReady: async (): Promise<void> => {},
  getPath: (): string => app.userData,
  getVersion: (): string => '0.0.0-stub',
  quit(): void {
    app.quits += 1;
  },
  exit(code: number): void {
    throw new Error(`the app gave up with ${code}`);
  },
});

const ipcMain = {
  handlers: new Map<string, Handler>(),
  listeners: new Map<string, Handler>(),
  handle: (channel: string, handler: Handler): void => void ipcMain.handlers.set(channel, handler),
  on: (channel: string, listener: Handler): void => void ipcMain.listeners.set(channel, listener),
};

/** Everything that is set on the session by a `set…` method, by its name. */
const defaultSession = Object.assign(new EventEmitter(), {
  set: new Map<string, (...args: never[]) => unknown>(),
  pages: null as ((request: { url: string; method: string }) => Response) | null,
  beforeRequest: null as ((details: { url: string }, answer: (verdict: { cancel: boolean }) => void) => void) | null,
  protocol: {
    handle(_scheme: string, handler: (request: { url: string; method: string }) => Response): void {
      defaultSession.pages = handler;
    },
  },
  webRequest: {
    onBeforeRequest(handler: NonNullable<typeof defaultSession.beforeRequest>): void {
      defaultSession.beforeRequest = handler;
    },
  },
  setPermissionRequestHandler: setter('permissionRequest'),
  setPermissionCheckHandler: setter('permissionCheck'),
  setDevicePermissionHandler: setter('devicePermission'),
  setBluetoothPairingHandler: setter('bluetoothPairing'),
  setDisplayMediaRequestHandler: setter('displayMedia'),
});

function setter(name: string) {
  return (handler: (...args: never[]) => unknown): void => void defaultSession.set.set(name, handler);
}

const shell = {
  opened: [] as string[],
  async openExternal(url: string): Promise<void> {
    shell.opened.push(url);
  },
};

const clipboard = {
  text: '',
  writeText(text: string): void {
    clipboard.text = text;
  },
};

/** Seals by turning the text round: enough to see that it was used. */
const safeStorage = {
  backend: 'gnome_libsecret',
  isEncryptionAvailable: (): boolean => true,
  getSelectedStorageBackend: (): string => safeStorage.backend,
  encryptString: (text: string): Buffer => Buffer.from([...text].reverse().join('')),
  decryptString: (sealed: Buffer): string => [...sealed.toString()].reverse().join(''),
};

interface Scheme {
  readonly scheme: string;
  readonly privileges: Readonly<Record<string, boolean>>;
}

const protocol = {
  schemes: [] as Scheme[],
  registerSchemesAsPrivileged(schemes: Scheme[]): void {
    protocol.schemes = schemes;
  },
};

const Menu = { buildFromTemplate: (template: unknown): unknown => template, setApplicationMenu: (): void => {} };

export const electron = {
  app,
  ipcMain,
  protocol,
  shell,
  clipboard,
  safeStorage,
  Menu,
  session: { defaultSession },
  powerMonitor: new EventEmitter(),
  BrowserWindow: StubWindow,
  Notification: StubNotification,
};
