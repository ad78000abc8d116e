import { Webhook } from 'standardwebhooks';

/** What receivers take at most between a call's time and their own: that of the code that is shown for them. */
const FRESH_SECONDS = 300;
const MOST_SECONDS = 100_000_000_000;

/** A call as a receiver has got it. */
export interface ReceivedCall {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly secret: string;
}

export interface Checked {
  readonly isRight: boolean;
  /** What was found, in sentences. */
  readonly words: readonly string[];
  /** What the header would have to be; null where it cannot be made. */
  readonly expected: string | null;
}

/** What receivers do to a body without knowing it, and what became of it. */
const CHANGES: readonly (readonly [string, (body: string) => string])[] = [
  ['without the space around it', (body) => body.trim()],
  ['with a line break at its end', (body) => `${body}\n`],
  ['with other line breaks', (body) => body.replaceAll('\r\n', '\n')],
  ['as JSON without spaces: it was parsed and serialised again', (body) => JSON.stringify(JSON.parse(body))],
  ['as JSON with spaces: it was parsed and serialised again', (body) => JSON.stringify(JSON.parse(body), null, 2)],
];

/** Why a signature is taken, or is not. Everything happens here: neither the secret nor the call is sent anywhere. */
export function checkSignature(call: ReceivedCall, nowMs: number): Checked {
  const mistake = mistakeIn(call);
  if (mistake !== null) return { isRight: false, words: [mistake], expected: null };
  const sign = signerOf(call);
  if (sign === null) {
    const words = ['The secret is not base64. It is shown once, and begins with whsec_: copy all of it.'];
    return { isRight: false, words, expected: null };
  }
  const given = signaturesIn(call.signature);
  const expected = sign(call.body);
  if (given.includes(expected)) {
    return { isRight: true, words: ['The signature is right.', ...ageWords(call, nowMs)], expected };
  }
  const change = CHANGES.find(([, changed]) => given.includes(sign(attempt(changed, call.body))));
  const why = change
    ? `The signature is of the same body ${change[0]}. Check the bytes as they came, before anything parses them.`
    : 'The signature does not match this id, time and body with this secret. Is it this webhook’s secret, and the newest one?';
  return { isRight: false, words: [why, ...ageWords(call, nowMs)], expected };
}

function mistakeIn({ id, timestamp, signature, secret }: ReceivedCall): string | null {
  const time = timestamp.trim();
  if (!secret.trim()) return 'Enter the secret.';
  if (!id.trim()) return 'Enter the header webhook-id.';
  if (!/^\d+$/.test(time)) return 'webhook-timestamp is a number of seconds since 1970.';
  if (Number(time) > MOST_SECONDS) return 'webhook-timestamp is in seconds; these are milliseconds.';
  if (signaturesIn(signature).length === 0)
    return 'webhook-signature begins with v1, and has several of them side by side.';
  return null;
}

/** While a secret is rotated, two sign. */
function signaturesIn(header: string): readonly string[] {
  return header.split(/\s+/).filter((part) => part.startsWith('v1,'));
}

function signerOf({ id, timestamp, secret }: ReceivedCall): ((body: string) => string) | null {
  try {
    const webhook = new Webhook(secret.trim());
    const at = new Date(Number(timestamp.trim()) * 1000);
    return (body) => webhook.sign(id.trim(), at, body);
  } catch {
    return null;
  }
}

function attempt(change: (body: string) => string, body: string): string {
  try {
    return change(body);
  } catch {
    return body; // no JSON
  }
}

function ageWords({ timestamp }: ReceivedCall, nowMs: number): readonly string[] {
  const seconds = Math.round(nowMs / 1000) - Number(timestamp.trim());
  if (Math.abs(seconds) <= FRESH_SECONDS) return [];
  const when = seconds > 0 ? 'more than 5 minutes ago' : 'more than 5 minutes from now';
  return [`It was sent ${when}: a receiver that checks the time no longer accepts it.`];
}
