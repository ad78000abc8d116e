import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { ZodError, z } from 'zod';
import type { ConsoleCore, Session } from '../core/console-core.ts';
import { CHANNEL_NAMES } from '../shared/names.ts';
import type { CallMessage, ShellMessage } from './messages.ts';

const MOST_CALL_BYTES = 8 * 1024 * 1024;
const CALL = z.strictObject({ call: z.number(), channel: z.enum(CHANNEL_NAMES), input: z.unknown().optional() });

/** The pages that are open in browsers, a socket each. */
export class BridgeSockets {
  readonly #core: ConsoleCore;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_CALL_BYTES });

  constructor(core: ConsoleCore) {
    this.#core = core;
  }

  welcome(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(req, socket, head, (open) => this.#attach(open));
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }

  #attach(socket: WebSocket): void {
    const send = (message: ShellMessage) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    };
    const session = this.#core.attach((event, payload) => send({ event, payload }));
    socket.on('message', (data) => void take(session, data, send));
    socket.on('close', () => session[Symbol.dispose]());
    socket.on('error', () => socket.terminate());
  }
}

async function take(session: Session, data: RawData, send: (message: ShellMessage) => void): Promise<void> {
  const message = callOf(String(data));
  if (!message) return;
  const { call, channel, input } = message;
  try {
    send({ call, output: await session.invoke(channel, input) });
  } catch (error) {
    send({ call, refused: (error as Error).message }); // handlers throw Errors only
  }
}

/** Null for what no page of ours sends. */
function callOf(text: string): CallMessage | null {
  try {
    return CALL.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof ZodError || error instanceof SyntaxError) return null;
    throw error;
  }
}
