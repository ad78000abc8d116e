import type { Secrets } from '../../database/secrets/secrets.ts';

/** How long a secret signs on after its change. */
export const SIGNS_ON_HOURS = 24;

/** Former secrets that sign at a time: each has a signature in a header, beside those of other registrations of its URL. */
const MOST_FORMER = 4;

/** The former secrets of a row, encrypted: the latest one, which versions before know, too, and older ones together. */
export interface Former<Time = Date> {
  readonly previous: string | null;
  readonly previousUntil: Time | null;
  readonly older: string | null;
}

/** As JSON has it. */
export type StoredFormer = Former<string>;

/** A secret that was changed, and until when it signs (ISO 8601). */
interface FormerSecret {
  readonly secret: string;
  readonly until: string;
}

/** Decrypts for the row that the subject names. */
type Opener = Pick<Secrets, 'open' | 'canOpen'>;

/** The older secrets, encrypted, once the present one is changed at a time and becomes the latest former one. */
export function olderAfterChange(
  secrets: Opener & Pick<Secrets, 'seal'>,
  subject: string,
  { at, ...former }: Former & { readonly at: Date },
): string | null {
  const still = signing(secrets, subject, former, at).slice(0, MOST_FORMER - 1);
  return still.length > 0 ? secrets.seal(subject, JSON.stringify(still)) : null;
}

/** The former secrets that sign, the latest first. */
export function signingSecrets(
  secrets: Opener,
  subject: string,
  { previousUntil, ...former }: StoredFormer,
  now = new Date(),
): string[] {
  const until = previousUntil === null ? null : new Date(previousUntil);
  return signing(secrets, subject, { ...former, previousUntil: until }, now).map(({ secret }) => secret);
}

function signing(secrets: Opener, subject: string, { previous, previousUntil, older }: Former, now: Date) {
  const isOn = previous !== null && previousUntil !== null && previousUntil > now;
  const latest = isOn ? [{ secret: secrets.open(subject, previous), until: previousUntil.toISOString() }] : [];
  return [...latest, ...unpacked(secrets, subject, older).filter(({ until }) => Date.parse(until) > now.getTime())];
}

/** Those whose key is lost are left out: the version before does not encrypt them anew when the key is changed. */
function unpacked(secrets: Opener, subject: string, older: string | null): FormerSecret[] {
  if (older === null || !secrets.canOpen(older)) return [];
  return JSON.parse(secrets.open(subject, older)) as FormerSecret[]; // as `olderAfterChange` wrote it
}
