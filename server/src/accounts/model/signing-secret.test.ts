import { describe, expect, it } from 'vitest';
import { newSigningSecret } from './signing-secret.ts';

describe('newSigningSecret', () => {
  it('is whsec_ and at least 24 bytes of base64, never the same', () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24);
    expect(newSigningSecret()).not.toBe(secret);
  });
});
