import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

describe('passwords', () => {
  it('are stored as scrypt with their parameters, each with a salt of its own', async () => {
    const [first, second] = await Promise.all([hashPassword('same words'), hashPassword('same words')]);
    expect(first).toMatch(/^scrypt\$32768\$8\$3\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
    expect(second).not.toBe(first);
    expect(first).not.toContain('same words');
  });

  it('are known again, and no other is', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await verifyPassword('Correct horse', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  it('are the same however a keyboard composes their characters', async () => {
    const stored = await hashPassword('caf\u00e9');
    expect(await verifyPassword('cafe\u0301', stored)).toBe(true);
  });

  it('are checked by the parameters of their hash', async () => {
    const stored =
      'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA==$' +
      (await import('node:crypto')).scryptSync('old', 'saltsaltsaltsalt', 32, { N: 1024 }).toString('base64');
    expect(await verifyPassword('old', stored)).toBe(true);
    expect(await verifyPassword('new', stored)).toBe(false);
  });
});
