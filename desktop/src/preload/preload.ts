import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge } from '../shared/channels.ts';
import { EVENT_CHANNEL, HELLO_CHANNEL, type Reply } from '../shared/ipc.ts';
import { listeners } from '../shared/listeners.ts';
import { isChannelName, isEventName } from '../shared/names.ts';

/** `window.bridge` in Electron: these names, and none of `ipcRenderer` itself. */
const events = listeners();

const bridge: Bridge = {
  on: (event, listener) => {
    if (!isEventName(event)) throw new Error('There is no such event.');
    return events.on(event, listener);
  },
  invoke: async (channel, input) => {
    if (!isChannelName(channel)) throw new Error('There is no such channel.');
    const reply: Reply = await ipcRenderer.invoke(channel, input);
    if ('refused' in reply) throw new Error(reply.refused);
    return reply.output as never; // the type of the channel's own handler
  },
};

ipcRenderer.on(EVENT_CHANNEL, (_event, name: unknown, payload: unknown) => {
  if (isEventName(name)) events.emit(name, payload as never); // main's types are these
});
ipcRenderer.send(HELLO_CHANNEL);
addEventListener('online', () => void bridge.invoke('connection.retry', undefined).catch(() => {}));
contextBridge.exposeInMainWorld('bridge', bridge);
