import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../house/listen.ts';

/** A call as it came. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
}

export interface ScriptedGateway extends AsyncDisposable {
  readonly url: string;
  /** What came, oldest first. */
  readonly heard: readonly Heard[];
}

/** A gateway that answers as a test says, and keeps what it heard. */
export async function openScriptedGateway(answer: (call: Heard, index: number) => Reply): Promise<ScriptedGateway> {
  const heard: Heard[] = [];
  const server = await listen(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: await text(request) };
    heard.push(call);
    const { status = 200, headers: own, body = '' } = answer(call, heard.length - 1);
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...own });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url: server.url, heard, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
