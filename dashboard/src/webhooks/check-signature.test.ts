import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { checkSignature, type ReceivedCall } from './check-signature.ts';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one of thirty-two bytes.').toString('base64')}`;
const BODY = '{"event":"ocr.completed","request_id":"ocr_1"}';
const AT = new Date('2026-11-23T10:00:00.400Z');

function call(more: Partial<ReceivedCall> = {}): ReceivedCall {
  const signature = new Webhook(SECRET).sign('whd_1', AT, BODY);
  const timestamp = String(Math.floor(AT.getTime() / 1000));
  return { id: 'whd_1', timestamp, signature, body: BODY, secret: SECRET, ...more };
}
const check = (more: Partial<ReceivedCall>, nowMs = AT.getTime()) => checkSignature(call(more), nowMs);

describe('a signature that is checked by hand', () => {
  it('is right for the call as it was sent, with either secret of a rotation', () => {
    expect(check({})).toEqual({ isRight: true, words: ['The signature is right.'], expected: call().signature });
    const both = `${new Webhook(OTHER).sign('whd_1', AT, BODY)} ${call().signature}`;
    expect(check({ signature: both }).isRight).toBe(true);
    expect(check({ secret: ` ${SECRET}\n`, timestamp: ` ${call().timestamp}` }).isRight).toBe(true);
  });

  it.each([
    [`${BODY}\n`, 'without the space around it'],
    [JSON.stringify(JSON.parse(BODY), null, 2), 'as JSON without spaces'],
  ])('says what was done to the body: %j', (body, words) => {
    const { isRight, words: found, expected } = check({ body });
    expect(isRight).toBe(false);
    expect(found[0]).toContain(words);
    expect(expected).not.toBe(call().signature);
  });

  it('is wrong with another secret, id, time or body, and says what it should be', () => {
    for (const more of [{ secret: OTHER }, { id: 'whd_2' }, { timestamp: '1790000000' }, { body: '{}' }]) {
      const { isRight, words, expected } = check(more);
      expect(isRight).toBe(false);
      expect(words[0]).toContain('does not match this id, time and body');
      expect(expected).toMatch(/^v1,/);
    }
  });

  it('tells of a call that a receiver would take for old, or for one of tomorrow', () => {
    const minutes = 60_000;
    expect(check({}, AT.getTime() + 4 * minutes).words).toHaveLength(1);
    expect(check({}, AT.getTime() + 6 * minutes).words[1]).toContain('ago');
    expect(check({}, AT.getTime() - 6 * minutes).words[1]).toContain('from now');
  });

  it.each([
    [{ secret: '' }, 'Enter the secret'],
    [{ secret: 'whsec_***' }, 'not base64'],
    [{ id: ' ' }, 'webhook-id'],
    [{ timestamp: '2026-11-23' }, 'number of seconds'],
    [{ timestamp: String(AT.getTime()) }, 'milliseconds'],
    [{ signature: 'sha256=abc' }, 'begins with v1,'],
  ])('names what cannot be checked: %j', (more, words) => {
    expect(check(more)).toMatchObject({ isRight: false, expected: null });
    expect(check(more).words.join(' ')).toContain(words);
  });
});
