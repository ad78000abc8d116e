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
    const named = proxies.length === 0 ? [] : String(req.headers['x-forwarded-for'] ?? '').split(',');
    for (const next of named.reverse().map((each) => plain(each.trim()))) {
      if (isIP(next) === 0 || !isTrusted(address)) break;
      address = next;
    }
    return address;
  };
}

/** IPv4 that came through a socket of IPv6 is IPv4. */
function plain(address: string): string {
  if (isIP(address) === 4) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
