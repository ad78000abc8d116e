const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * An id as the gateway makes them (a ULID behind a prefix), but of a chosen time and chance: `random` gives numbers from 0
 * up to 1.
 */
export function idAt(prefix: 'ocr_' | 'att_' | 'key_' | 'wh_' | 'alt_', time: number, random: () => number): string {
  const rest = Array.from({ length: 16 }, () => CROCKFORD.charAt(Math.floor(random() * 32)));
  return prefix + timeDigits(Math.floor(time)) + rest.join('');
}

/** 48 bits of milliseconds, the highest first. */
function timeDigits(milliseconds: number): string {
  return Array.from({ length: 10 }, (_, n) => CROCKFORD.charAt(Math.floor(milliseconds / 32 ** (9 - n)) % 32)).join('');
}
