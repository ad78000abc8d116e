import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Sender } from '../body/read-body.ts';
import type { Call, Hook } from '../contract/reply.ts';

/** The file that a caller wants of a result. */
interface FileWish {
  readonly requestId: string;
  readonly format: string;
  readonly page: number | null;
  readonly table: number | null;
  readonly textLayer: 'missing' | 'all';
  readonly signal: AbortSignal;
}

export interface OutputPorts<Caller> {
  /** Makes the file. The caller may read the request: GraphQL has checked that. */
  open(
    wish: FileWish,
    document: Buffer | null,
  ): Promise<{ stream: Readable; length: number | null; headers: Readonly<Record<string, string>> }>;
  /** Receives the body, a document, within the limits of bodies. */
  receive(req: IncomingMessage, sender: Sender<Caller>): Promise<Buffer>;
}

interface Sent {
  readonly document: Buffer | null;
  readonly req: IncomingMessage;
}

/** Makes the hooks of files. Their bytes go past GraphQL, which only checks that the caller may read the request. */
export function outputHooks<Caller>({
  open,
  receive,
}: OutputPorts<Caller>): Record<'getOcrOutput' | 'createOcrOutput', Hook<Caller>> {
  const sent = new WeakMap<Call, Sent>();
  const hook = (
    documentOf: (req: IncomingMessage, sender: Sender<Caller>) => Promise<Buffer | null>,
  ): Hook<Caller> => ({
    async receive(req, call, sender) {
      const document = await documentOf(req, sender);
      sent.set(call, { document, req });
      return { requestId: call.params['request_id'] };
    },
    async reply(_result, _present, call) {
      const { document, req } = sent.get(call) as Sent; // `receive` comes before
      sent.delete(call);
      const { signal, done } = departure(req);
      try {
        const { stream, length, headers } = await open({ ...wishOf(call), signal }, document);
        return { status: 200, headers, body: { stream, length } };
      } finally {
        done();
      }
    },
  });
  return { getOcrOutput: hook(async () => null), createOcrOutput: hook(receive) };
}

function wishOf({ params, query }: Call): Omit<FileWish, 'signal'> {
  return {
    requestId: params['request_id'] ?? '',
    format: String(query['format']),
    page: (query['page'] as number | undefined) ?? null, // the contract says integer
    table: (query['table'] as number | undefined) ?? null,
    textLayer: query['text_layer'] === 'all' ? 'all' : 'missing',
  };
}

/** Watches the client: `signal` aborts when it leaves, or has left already. `done` ends the watch. */
function departure({ socket }: IncomingMessage): { signal: AbortSignal; done: () => void } {
  const gone = new AbortController();
  const leave = () => gone.abort(new Error('the client left'));
  socket.once('close', leave);
  if (socket.destroyed) leave();
  return { signal: gone.signal, done: () => socket.off('close', leave) };
}
