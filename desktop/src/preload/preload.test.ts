import { expect, it, vi } from 'vitest';
import type { Bridge } from '../shared/channels.ts';

const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  sent: [] as string[],
  invoked: [] as unknown[],
  reply: {} as unknown,
  listeners: new Map<string, (event: unknown, ...args: unknown[]) => void>(),
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => electron.exposed.set(name, value) },
  ipcRenderer: {
    send: (channel: string) => electron.sent.push(channel),
    on: (channel: string, listener: () => void) => electron.listeners.set(channel, listener),
    invoke: async (...call: unknown[]) => {
      electron.invoked.push(call);
      return electron.reply;
    },
  },
}));

vi.stubGlobal('addEventListener', () => {});
await import('./preload.ts');
const bridge = electron.exposed.get('bridge') as Bridge;

it('gives the page two functions and says that it is there', () => {
  expect([...electron.exposed.keys()]).toEqual(['bridge']);
  expect(Object.keys(bridge).sort()).toEqual(['invoke', 'on']);
  expect(electron.sent).toEqual(['bridge.hello']);
});

it('calls channels of the list only', async () => {
  electron.reply = { output: { version: '1' } };
  expect(await bridge.invoke('app.info', undefined)).toEqual({ version: '1' });
  await expect(bridge.invoke('electron.quit' as 'app.info', undefined)).rejects.toThrow('no such channel');
  await expect(bridge.invoke('constructor' as 'app.info', undefined)).rejects.toThrow('no such channel');
  expect(electron.invoked).toEqual([['app.info', undefined]]);
});

it('throws the shell’s own words', async () => {
  electron.reply = { refused: 'No gateway is chosen.' };
  await expect(bridge.invoke('profiles.list', undefined)).rejects.toThrow(/^No gateway is chosen\.$/);
});

it('passes on events of the list, without Electron’s own event, until it is told to stop', () => {
  const heard: unknown[] = [];
  const stop = bridge.on('navigate', (...payload) => heard.push(payload));
  const tell = electron.listeners.get('bridge.event');
  tell?.({ sender: 'ipcRenderer' }, 'navigate', { path: '/jobs' });
  tell?.({}, 'constructor', {});
  stop();
  tell?.({}, 'navigate', { path: '/queue' });
  expect(heard).toEqual([[{ path: '/jobs' }]]);
  expect(() => bridge.on('error' as 'navigate', () => {})).toThrow('no such event');
});

it('tells a late listener the state of the connection', async () => {
  const state = { state: 'live', since: '2026-11-20T00:00:00.000Z', retryAt: null, roundTripMs: 4 };
  electron.listeners.get('bridge.event')?.({}, 'connection.state', state);
  expect(await new Promise((resolve) => bridge.on('connection.state', resolve))).toEqual(state);
});
