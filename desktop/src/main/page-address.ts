/** A scheme of our own: pages have a real origin, and none of the powers of `file:`. */
export const SCHEME = 'app';
export const PAGE_ADDRESS = `${SCHEME}://console/`;

/** Whether an address is one of the console's own. A scheme that is not the web's has no `origin` to compare. */
export function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return protocol === `${SCHEME}:` && host === 'console' && username === '' && password === '';
}

/** Whether an address is one of a file that the console's own page has made, for the system's dialog to save. */
export function isOwnFile(address: string): boolean {
  return address.startsWith('blob:') && isOwnAddress(address.slice('blob:'.length));
}
