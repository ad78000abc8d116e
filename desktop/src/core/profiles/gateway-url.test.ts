import { expect, it } from 'vitest';
import { gatewayUrl } from './gateway-url.ts';

it.each([
  ['https://ocr.example.com', 'https://ocr.example.com'],
  [' https://ocr.example.com/ ', 'https://ocr.example.com'],
  ['https://example.com/ocr/graphql?x=1#y', 'https://example.com/ocr'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['http://gpu-box:8080', 'http://gpu-box:8080'],
  ['http://192.168.1.4', 'http://192.168.1.4'],
  ['http://172.31.0.1', 'http://172.31.0.1'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://[fd00::1]', 'http://[fd00::1]'],
  ['http://ocr.internal', 'http://ocr.internal'],
])('keeps %s as %s', (text, kept) => {
  expect(gatewayUrl(text)).toBe(kept);
});

it.each([
  'http://ocr.example.com',
  'http://8.8.8.8',
  'http://172.32.0.1',
  'http://[2001:db8::1]',
  'http://localhost.example.com',
])('refuses to send a key in the clear to %s', (text) => {
  expect(() => gatewayUrl(text)).toThrow('Plain http');
});

it.each(['ocr.example.com', 'ftp://ocr.example.com', 'https://a:b@ocr.example.com', 'file:///etc', ''])(
  'refuses %s',
  (text) => {
    expect(() => gatewayUrl(text)).toThrow(/address/);
  },
);
