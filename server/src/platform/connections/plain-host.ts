/** Whether a header `Host` is a host with or without a port, in characters that mean nothing in a policy or a page. */
export function isPlainHost(host: string | undefined): host is string {
  return host !== undefined && /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host);
}
