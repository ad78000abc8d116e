import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../kit/code-block.tsx';

const JAVASCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** body: the raw text of the call, before any JSON.parse */
export function isGenuine(headers, body, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = \`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\${body}\`;
  const expected = createHmac('sha256', key).update(signed).digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300;
  return isFresh && headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

const PYTHON = `import base64, hashlib, hmac, time

def is_genuine(headers, body: bytes, secret: str) -> bool:
    """body: the raw bytes of the call, before any json.loads"""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return fresh and any(
        hmac.compare_digest(signature.removeprefix("v1,"), expected)
        for signature in headers["webhook-signature"].split()
    )`;

/** How a receiver checks a signature (Standard Webhooks). While two secrets sign, one match is enough. */
export function VerifyCode() {
  const [language, setLanguage] = useState('JavaScript');
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <SegmentedControl
        aria-label="Language"
        data={['JavaScript', 'Python']}
        value={language}
        onChange={setLanguage}
        style={{ justifySelf: 'start' }}
      />
      <CodeBlock label={`Checking a signature in ${language}`} text={language === 'Python' ? PYTHON : JAVASCRIPT} />
    </div>
  );
}
