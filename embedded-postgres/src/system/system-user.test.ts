import { expect, it } from 'vitest';
import { findUser } from './system-user.ts';

const PASSWD = [
  'root:x:0:0:root:/root:/bin/bash',
  'toor:x:0:0:also root:/root:/bin/sh',
  'postgres-old:x:90:90::/:/bin/false',
  'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin',
  'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash',
  'broken:x',
  '',
].join('\n');

it('takes the first name that is there, in the order asked for', () => {
  expect(findUser(PASSWD, ['postgres', 'nobody'])).toEqual({ uid: 101, gid: 104 });
  expect(findUser(PASSWD, ['ocr-router', 'nobody'])).toEqual({ uid: 65534, gid: 65533 });
});

it('takes neither root under another name, nor a name that only begins alike, nor half a line', () => {
  expect(findUser(PASSWD, ['toor', 'postgre', 'broken'])).toBeNull();
});
