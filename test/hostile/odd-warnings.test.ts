import { describe, expect, it } from 'vitest';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { caller } = await house.account();

// A warning names the unknown field, and with `text` the warnings travel in a header, which holds far less than JSON.
describe.each(['json', 'text', 'markdown'])('output_format %s', (output_format) => {
  it.each([
    'цвет',
    'ключ → значение',
    'a\r\nSet-Cookie: session=stolen',
    'tab\tand\u0007bell',
    '🙂',
    '\u0000',
    '|',
    'x'.repeat(5000),
  ])('survives an unknown field called %j', async (name) => {
    const { status, headers, text } = await caller.ocr(await pictureBody('reader', { output_format, [name]: 1 }));
    expect(status, text.slice(0, 300)).toBe(200);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(text).toContain('read by reader');
  });

  it('survives two thousand unknown fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`unknown_field_${n}`, n]));
    const { status, text } = await caller.ocr(await pictureBody('reader', { output_format, ...unknown }));
    expect(status, text.slice(0, 300)).toBe(200);
    expect(text).toContain('read by reader');
  });
});
