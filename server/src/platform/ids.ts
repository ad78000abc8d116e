import { randomFillSync } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pool = Buffer.alloc(4096);
let used = pool.length;
let lastTime = 0;

/** A prefix and 26 Crockford base-32 characters (ULID): 48 bits of milliseconds, then 80 random bits. */
export function newId(
  prefix:
    | 'req_'
    | 'ocr_'
    | 'bat_'
    | 'job_'
    | 'wh_'
    | 'whd_'
    | 'key_'
    | 'att_'
    | 'wrk_'
    | 'ref_'
    | 'ses_'
    | 'alr_'
    | 'alt_'
    | 'alc_',
): string {
  const now = Math.max(Date.now(), lastTime);
  lastTime = now;
  return prefix + encodeTime(now) + encodeRandom();
}

/** What every id of a time is at or above, and every earlier one below. */
export function lowestId(prefix: 'ocr_', time: Date): string {
  return prefix + encodeTime(Math.max(0, time.getTime())) + '0'.repeat(16);
}

/** The moment at which an id of a request was made. */
export function timeOfId(id: string): Date {
  const digits = [...id.slice('ocr_'.length, 'ocr_'.length + 10)];
  return new Date(digits.reduce((time, digit) => 32 * time + CROCKFORD.indexOf(digit), 0));
}

const REQUEST_ID = /^ocr_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Before every id of a request, and behind all of them, in the order of any database. */
const EVERY_ID: [string, string] = ['', 'p'];

/**
 * The least and the greatest of some requests’ ids: a statement that is given them looks into the months of these requests alone.
 * Every database has well-formed ids in the same order; where another one is among them, the range holds every id.
 */
export function rangeOfIds(ids: readonly string[]): [string, string] {
  if (ids.length === 0 || !ids.every((id) => REQUEST_ID.test(id))) return EVERY_ID;
  const least = ids.reduce((before, id) => (id < before ? id : before));
  const greatest = ids.reduce((before, id) => (id > before ? id : before));
  return [least, greatest];
}

let encodedTime = Number.NaN;
let encoded = '';

/** Ids of one millisecond share their first part. */
function encodeTime(milliseconds: number): string {
  if (milliseconds === encodedTime) return encoded;
  encodedTime = milliseconds;
  encoded = timeDigits(milliseconds);
  return encoded;
}

function timeDigits(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeRandom(): string {
  if (used + 16 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (let i = 0; i < 16; i++) text += CROCKFORD.charAt((pool[used++] ?? 0) & 31);
  return text;
}
