import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Says where a call comes from: the peer, or what the operator's own proxies say of theirs. */
export type ClientAddress = (req: IncomingMessage) => string;

/** `proxies`: addresses and networks whose `X-Forwarded-For` is believed; each names the one that called it, the last. */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return (req) => {
    let address = plain(req.socket.remoteAddress ?? '');
    if (proxies.length === 0) return address;
    let left = String(req.headers['x-forwarded-for'] ?? '');
    while (left !== '' && isTrusted(address)) {
      const mark = left.lastIndexOf(',');
      const next = left.slice(mark + 1).trim();
      if (isIP(next) === 0) break;
      address = plain(next);
      left = left.slice(0, Math.max(0, mark));
    }
    return address;
  };
}

/** IPv4 that came through a socket of IPv6 is IPv4. */
function plain(address: string): string {
  if (isIP(address) === 4) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
