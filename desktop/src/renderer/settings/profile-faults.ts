import type { ProfileInput } from '../../shared/profile.ts';

type Faults = Partial<Record<'name' | 'url' | 'colour' | 'token', string>>;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is wrong with a profile before it is sent to be saved; nothing for a good one. */
export function profileFaults({ name, url, colour, token }: ProfileInput, keepsToken: boolean): Faults {
  const faults: Faults = {};
  if (name.trim() === '') faults.name = 'It needs a name.';
  const address = URL.canParse(url.trim()) ? new URL(url.trim()) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) faults.url = 'An http or https address is needed.';
  else if (address.protocol === 'http:' && !LOOPBACK.has(address.hostname)) {
    faults.url = 'Over http the key would be readable on the way: use https, or an address of this machine.';
  }
  if (!/^#[0-9a-f]{6}$/i.test(colour)) faults.colour = 'A colour such as #3a5fb6 is needed.';
  if (!keepsToken && !token?.trim()) faults.token = 'An operator’s key is needed.';
  return faults;
}
