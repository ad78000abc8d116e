import type { ChannelName, Channels, ConnectionState } from '../shared/channels.ts';
import type { Listeners } from '../shared/listeners.ts';
import type { CallMessage, ShellMessage } from './messages.ts';

const RETRY_MS = 1000;

interface Call {
  resolve(output: unknown): void;
  reject(error: Error): void;
}

export interface Channel {
  call<Name extends ChannelName>(name: Name, input: Channels[Name]['input']): Promise<Channels[Name]['output']>;
}

/** The socket to the local server. It comes back by itself, and says so: what the page had subscribed to is gone. */
export function openChannel(address: string, events: Listeners): Channel {
  const calls = new Map<number, Call>();
  let waiting: CallMessage[] = [];
  let lastCall = 0;
  let lostAt: string | null = null;
  let socket = connect();

  function connect(): WebSocket {
    const fresh = new WebSocket(address);
    fresh.onopen = () => {
      const isBack = lostAt !== null;
      lostAt = null;
      for (const message of waiting) fresh.send(JSON.stringify(message));
      waiting = [];
      if (isBack) events.emit('bridge.back', undefined);
    };
    fresh.onmessage = ({ data }) => take(JSON.parse(data) as ShellMessage); // our own server's words
    fresh.onclose = () => {
      lost();
      setTimeout(() => {
        socket = connect();
      }, RETRY_MS);
    };
    return fresh;
  }

  function call<Name extends ChannelName>(channel: Name, input: Channels[Name]['input']) {
    lastCall += 1;
    const message: CallMessage = { call: lastCall, channel, input };
    return new Promise<Channels[Name]['output']>((resolve, reject) => {
      calls.set(message.call, { resolve: (output) => resolve(output as Channels[Name]['output']), reject });
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      else if (socket.readyState === WebSocket.CONNECTING && lostAt === null) waiting.push(message);
      else fail(message.call, gone());
    });
  }

  function take(message: ShellMessage): void {
    if ('event' in message) {
      events.emit(message.event, message.payload as never); // the server's types are these
      return;
    }
    if ('refused' in message) fail(message.call, new Error(message.refused));
    else calls.get(message.call)?.resolve(message.output);
    calls.delete(message.call);
  }

  function fail(id: number, error: Error): void {
    calls.get(id)?.reject(error);
    calls.delete(id);
  }

  function lost(): void {
    waiting = [];
    for (const id of [...calls.keys()]) fail(id, gone());
    lostAt ??= new Date().toISOString();
    const retryAt = new Date(Date.now() + RETRY_MS).toISOString();
    events.emit('connection.state', { state: 'offline', since: lostAt, retryAt, roundTripMs: null } as ConnectionState);
  }

  return { call };
}

function gone(): Error {
  return new Error('The console’s local server has stopped. Start it again: npm run desktop:web');
}
