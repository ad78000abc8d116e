/** The origin of a listener of this process; an IPv6 address stands in brackets in a URL. */
export function localUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
