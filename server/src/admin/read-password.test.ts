import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPassword, type Terminal } from './read-password.ts';

/** A terminal that a person types at; what would be echoed is what the terminal itself does outside of raw mode. */
class Typed extends EventEmitter {
  readonly isTTY = true;
  raw = false;
  setRawMode(raw: boolean): this {
    this.raw = raw;
    return this;
  }
  pause(): this {
    return this;
  }
  resume(): this {
    return this;
  }
}

function piped(...chunks: string[]): { terminal: Terminal; said: () => string } {
  const input = new PassThrough();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  return withOutput(input);
}

function withOutput(input: unknown): { terminal: Terminal; said: () => string } {
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk) => {
    text += String(chunk);
  });
  return { terminal: { input: input as NodeJS.ReadStream, output }, said: () => text }; // as much of one as is used
}

describe('--password', () => {
  it.each(['-', true] as const)('%s reads the first line of standard input', async (given) => {
    const { terminal, said } = piped('correct horse ', 'battery\r\nsecond line\n');
    expect(await readPassword(given, terminal)).toBe('correct horse battery');
    expect(said()).toBe('');
  });

  it('refuses an empty input', async () => {
    await expect(readPassword('-', piped('').terminal)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('asks at a terminal, and shows nothing of what is typed', async () => {
    const typed = new Typed();
    const { terminal, said } = withOutput(typed);
    const answer = readPassword(true, terminal);
    for (const key of ['s', 'ex', '\u007f', 'cret', 'é\r']) {
      expect(typed.raw).toBe(true);
      typed.emit('data', Buffer.from(key));
    }
    expect(await answer).toBe('secreté');
    expect(typed.raw).toBe(false);
    expect(said()).toBe('Password: \n');
  });

  it('gives up at Ctrl-C', async () => {
    const typed = new Typed();
    const answer = readPassword(true, withOutput(typed).terminal);
    typed.emit('data', Buffer.from('half\u0003'));
    await expect(answer).rejects.toMatchObject({ code: 'invalid_request' });
    expect(typed.raw).toBe(false);
  });

  it('is taken from the command line with a warning that does not repeat it', async () => {
    const { terminal, said } = piped('');
    expect(await readPassword('hunter two', terminal)).toBe('hunter two');
    expect(said()).toMatch(/can be read by every user/);
    expect(said()).not.toContain('hunter');
  });
});
