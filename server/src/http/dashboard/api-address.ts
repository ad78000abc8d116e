import type { IncomingMessage } from 'node:http';
import { isPlainHost } from '../../platform/connections/plain-host.ts';

/** The API's address: `url` as the operator configured it; where that is null, `port` on the host that the browser called. */
export interface ApiPlace {
  readonly url: URL | null;
  readonly port: number;
}

/** The API's address for the browser of a call. */
export function apiAddress(req: IncomingMessage, { url, port }: ApiPlace): URL {
  if (url) return url;
  const { host } = req.headers;
  const address = isPlainHost(host) ? `http://${host}` : '';
  const api = new URL(URL.canParse(address) ? address : 'http://localhost');
  api.port = String(port);
  return api;
}
