import { isIP } from 'node:net';
import { Refused } from '../refused.ts';

const PRIVATE_IPV4 =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
const PRIVATE_IPV6 = /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;
const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|internal|lan|home\.arpa)$/;

/**
 * The address of a gateway as it is kept: no credentials, no query, no slash at the end. Plain http only within a
 * private network: the token goes along with every call.
 */
export function gatewayUrl(text: string): string {
  const url = parsed(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Refused('The address must begin with https://.');
  if (url.username !== '' || url.password !== '') throw new Refused('The address must not contain a password.');
  if (url.protocol === 'http:' && !isPrivate(url.hostname)) {
    throw new Refused('Plain http would show the key to everybody on the way. Use https, or a private address.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/graphql$/, '');
}

function parsed(text: string): URL {
  try {
    return new URL(text.trim());
  } catch (cause) {
    throw new Refused('This is not an address. Example: https://ocr.example.com', { cause });
  }
}

function isPrivate(hostname: string): boolean {
  if (hostname.startsWith('[')) return PRIVATE_IPV6.test(hostname);
  return isIP(hostname) === 4 ? PRIVATE_IPV4.test(hostname) : PRIVATE_NAME.test(hostname);
}
