import ipaddr from 'ipaddr.js';

/**
 * The addresses that one caller has at will: an IPv4 address by itself, a /64 of IPv6, which is what one line is given;
 * `wide` the /48, which is what one customer is given at most.
 */
export function addressBucket(address: string, width: 'narrow' | 'wide' = 'narrow'): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, width === 'wide' ? 3 : 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/${groups.length * 16}`;
}
