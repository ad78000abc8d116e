import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [Address, number];

/** All that is routed on the internet today; what lies outside (embedded IPv4 of several kinds) is not for us. */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3');

/** In a public range, but inside every virtual machine of Azure: its own metadata and DNS. */
const SPECIAL: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')];

/** Parses `10.0.0.0/8` and the like. Throws on anything else: it is the operator's setting. */
export function parseNetworks(cidrs: readonly string[]): Network[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

/** The address in an URL's host or a DNS answer; null for a name. Brackets around IPv6 are taken off. */
export function parseAddress(host: string): Address | null {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/** Whether requests of strangers may go there: on the internet, or in a network that the operator opened. */
export function isAllowed(address: Address, opened: readonly Network[]): boolean {
  if (opened.some((network) => isInside(address, network))) return true;
  if (SPECIAL.some((network) => isInside(address, network))) return false;
  // Everything special has a range of its own: private, loopback, link-local, multicast, 6to4, Teredo, NAT64 …
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isInside(address, GLOBAL_IPV6);
}

function isInside(address: Address, [network, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
