import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** What a name server says of a name: its IPv4 addresses, that there is no such name, or nothing at all. */
export type NameAnswer = readonly string[] | 'unknown' | 'silence';

/** A name server on this machine. */
export interface NameServer extends AsyncDisposable {
  /** `address:port`. */
  readonly address: string;
  /** The names it was asked for. */
  readonly asked: readonly string[];
}

const TYPE_A = 1;
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** Starts a name server that answers by this function. */
export async function startNameServer(answer: (name: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const said = answer(name);
    if (said === 'silence') return;
    socket.send(answerOf(query, end, said === 'unknown' ? null : type === TYPE_A ? said : []), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12; // behind the header
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The message that answers a query; null: there is no such name. */
function answerOf(query: Buffer, end: number, addresses: readonly string[] | null): Buffer {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(addresses === null ? NO_SUCH_NAME : ANSWERED, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  const records = (addresses ?? []).map((address) =>
    Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}
