import { describe, expect, it } from 'vitest';
import { prettyLine } from './pretty-log.ts';

const at = new Date(2026, 10, 22, 9, 5, 7).getTime();
const line = (event: object) => prettyLine(JSON.stringify({ level: 30, time: at, ...event }), false);

describe('an event of the log for people', () => {
  it('is one line: local time, level, what happened, the rest by name', () => {
    expect(line({ requestId: 'ocr_1', costUsd: 0.001, ms: 12, msg: 'request settled' })).toBe(
      '09:05:07 INFO  request settled requestId=ocr_1 costUsd=0.001 ms=12\n',
    );
  });

  it('has colours on a terminal', () => {
    expect(prettyLine(JSON.stringify({ level: 40, time: at, msg: 'careful' }), true)).toContain('\x1b[33mWARN \x1b[0m');
  });

  it('says why a warning was given, without places in the code', () => {
    expect(line({ level: 40, err: { message: 'gone', stack: 'Error: gone\n    at x.js:1' }, msg: 'lost' })).toBe(
      '09:05:07 WARN  lost error=gone\n',
    );
    expect(line({ level: 40, err: 'gone away', msg: 'lost' })).toBe('09:05:07 WARN  lost error="gone away"\n');
  });

  it('shows the places of an error that nobody foresaw', () => {
    const err = { message: 'gone', stack: 'Error: gone\n    at x.js:1\n    at y.js:2' };
    expect(line({ level: 60, err, msg: 'gone' })).toBe('09:05:07 FATAL gone\n    at x.js:1\n    at y.js:2\n');
  });

  it('lets nothing write to the terminal in its name, and cuts what is long', () => {
    const shown = line({ title: '\x1b[2J\n09:05:07 FATAL not true', long: 'x'.repeat(900), msg: 'odd\x07' });
    expect(shown.split('\n')).toHaveLength(2);
    expect(shown).not.toContain('\x1b');
    expect(shown).toHaveLength('09:05:07 INFO  odd  title=" [2J 09:05:07 FATAL not true" long=…\n'.length + 300);
  });
});
