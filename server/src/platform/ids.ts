import { randomFillSync } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pool = Buffer.alloc(4096);
let used = pool.length;
let lastTime = 0;

type IdPrefix =
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
  | 'alc_';

/** A new id: the prefix and 26 Crockford base-32 characters (ULID), 48 bits of milliseconds and 80 random bits. */
export function newId(prefix: IdPrefix): string {
  const now = Math.max(Date.now(), lastTime);
  lastTime = now;
  return prefix + encodeTime(now) + encodeRandom();
}

/** The lowest id of a time: every id that was made then is at or above it, every earlier one below. */
export function lowestId(prefix: 'ocr_', time: Date): string {
  return prefix + encodeTime(Math.max(0, time.getTime())) + '0'.repeat(16);
}

/** The most that the clocks of a process (the time in ids) and of the database (the times in rows) may differ. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** An id that is not above that of any request whose row says that it was accepted at this time or later. */
export function lowestIdFrom(time: Date): string {
  return lowestId('ocr_', new Date(time.getTime() - CLOCKS_DIFFER_MS));
}

/** An id that is above those of all requests whose rows say that they were accepted before this time. */
export function idAboveThoseBefore(time: Date): string {
  return lowestId('ocr_', new Date(time.getTime() + CLOCKS_DIFFER_MS));
}

/** The moment at which an id of a request was made. */
export function timeOfId(id: string): Date {
  const digits = [...id.slice('ocr_'.length, 'ocr_'.length + 10)];
  return new Date(digits.reduce((time, digit) => 32 * time + CROCKFORD.indexOf(digit), 0));
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text has the form of an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an account's id. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Below and above every id of a request, in the sort order of any database. */
const EVERY_ID: [string, string] = ['', 'p'];

/**
 * The lowest and the highest of some requests’ ids: a statement with this range reads only the monthly partitions of these
 * requests. Databases may sort texts that are no ids in different orders: with one among them, the range holds every id.
 */
export function rangeOfIds(ids: readonly string[]): [string, string] {
  if (ids.length === 0 || !ids.every((id) => isId('ocr_', id))) return EVERY_ID;
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
