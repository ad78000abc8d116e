import type { Bridge } from '../shared/channels.ts';
import { listeners } from '../shared/listeners.ts';
import { openChannel } from './channel.ts';

/** `window.bridge` of a page in a browser: everything goes to the local server that the page came from. */
const events = listeners();
const channel = openChannel(`${location.origin.replace('http', 'ws')}/bridge`, events);

const bridge: Bridge = {
  on: events.on,
  invoke: async (name, input) => {
    if (name === 'clipboard.write') {
      await navigator.clipboard.writeText((input as { text: string }).text); // what this channel takes
      return undefined as never; // as above: this channel answers nothing
    }
    const output = await channel.call(name, input);
    if (name === 'external.open') open((input as { url: string }).url, '_blank', 'noopener,noreferrer');
    return output;
  },
};

addEventListener('online', () => void bridge.invoke('connection.retry', undefined).catch(() => {}));
Object.defineProperty(window, 'bridge', { value: bridge, writable: false, configurable: false });
