import type { IncomingMessage } from 'node:http';

/** Where the API is: as the operator says, else its port on the host that the browser called. */
export interface ApiPlace {
  readonly url: URL | null;
  readonly port: number;
}

/** The API as the browser of a call reaches it. */
export function apiAddress(req: IncomingMessage, { url, port }: ApiPlace): URL {
  if (url) return url;
  const host = `http://${req.headers.host ?? 'localhost'}`;
  const api = new URL(URL.canParse(host) ? host : 'http://localhost');
  api.port = String(port);
  return api;
}
