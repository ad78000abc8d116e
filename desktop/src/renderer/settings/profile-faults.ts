import type { ProfileInput } from '../../shared/profile.ts';

type Faults = Partial<Record<'name' | 'url' | 'colour' | 'token', string>>;

/** What is missing from a profile before it is sent to be saved; whether its address is safe is the shell's to say. */
export function profileFaults({ name, url, colour, token }: ProfileInput, keepsToken: boolean): Faults {
  const faults: Faults = {};
  if (name.trim() === '') faults.name = 'It needs a name.';
  if (!/^https?:\/\/./.test(url.trim()) || !URL.canParse(url.trim())) {
    faults.url = 'An http or https address is needed.';
  }
  if (!/^#[0-9a-f]{6}$/i.test(colour)) faults.colour = 'A colour such as #3a5fb6 is needed.';
  if (!keepsToken && !token?.trim()) faults.token = 'An operator’s key is needed.';
  return faults;
}
