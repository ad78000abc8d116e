import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import type { ConsoleCore, Session } from '../core/console-core.ts';
import { EVENT_CHANNEL, HELLO_CHANNEL, type Reply } from '../shared/ipc.ts';
import { CHANNEL_NAMES } from '../shared/names.ts';
import { isOwnAddress } from './page-address.ts';

type Sent = Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

/** What the preload calls, for the page of our own window only. */
export function answerBridge(core: ConsoleCore, ownContents: () => WebContents | null): void {
  const sessions = new Map<number, Session>();
  ipcMain.on(HELLO_CHANNEL, (event) => {
    if (isOwnPage(event, ownContents())) greet(core, sessions, event.sender);
  });
  for (const channel of CHANNEL_NAMES) {
    ipcMain.handle(channel, async (event, input: unknown): Promise<Reply> => {
      if (!isOwnPage(event, ownContents())) throw new Error('This page may not call the console.');
      const session = sessions.get(event.sender.id);
      if (!session) throw new Error('The page has not said that it is there.');
      try {
        return { output: await session.invoke(channel, input) };
      } catch (error) {
        return { refused: (error as Error).message }; // handlers throw Errors only
      }
    });
  }
}

/** A page has been loaded, perhaps again: what the one before it had asked for ends. */
function greet(core: ConsoleCore, sessions: Map<number, Session>, contents: WebContents): void {
  const known = sessions.get(contents.id);
  known?.[Symbol.dispose]();
  const session = core.attach((event, payload) => {
    if (!contents.isDestroyed()) contents.send(EVENT_CHANNEL, event, payload);
  });
  sessions.set(contents.id, session);
  if (known) return;
  const { id } = contents;
  contents.once('destroyed', () => {
    sessions.get(id)?.[Symbol.dispose]();
    sessions.delete(id);
  });
}

/** The top frame of our window, at our address: a frame inside it, or another window, is not ours. */
function isOwnPage({ sender, senderFrame }: Sent, own: WebContents | null): boolean {
  return own !== null && sender === own && senderFrame === sender.mainFrame && isOwnAddress(senderFrame.url);
}
