import { describe, expect, it } from 'vitest';
import { warningsHeader } from './warnings-header.ts';

describe('warningsHeader', () => {
  it('puts the warnings side by side, in characters that a header may have', () => {
    expect(warningsHeader(['One.', 'Zwei → \r\nSet-Cookie: a=b', 'drei\u0000'])).toBe(
      'One. | Zwei ?  Set-Cookie: a=b | drei?',
    );
  });

  it('stays within 8 kB and counts what is left out', () => {
    const value = warningsHeader(Array.from({ length: 80 }, (_, n) => `${n} ${'x'.repeat(297)}`));
    expect(Buffer.byteLength(value)).toBeLessThanOrEqual(8192);
    expect(value).toMatch(/ \| 54 more$/);
    expect(warningsHeader(['x'.repeat(100_000)])).toBe('1 more');
  });
});
