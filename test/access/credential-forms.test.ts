/**
 * What counts as a password in a field that clients see, what doesn't, and what remains of such a
 * connection from an older store.
 */

import { expect, test } from '@jest/globals';
import { isHost, isUser, mayHoldPassword } from '../../daemon/access/credential-forms.ts';
import { processorMilliseconds } from '../processor-time.ts';

test.each([
  'postgres://u:hunter2@h/d',
  '/home/me/ postgres:/u:hunter2@h/d',
  'u:hunter2@h',
  'host=h password=hunter2',
  'PASSWORD = hunter2',
  'Pwd=hunter2;',
  'PGPASSWORD=hunter2',
  'MYSQL_PWD=hunter2',
  '{"password": "hunter2"}',
  'passwd: hunter2',
  'x pass=hunter2',
  'pass%77ord%3Dhunter2',
  'u%3Ahunter2%40h',
  'ｐａｓｓｗｏｒｄ＝hunter2',
  '/x/127.0.0.1:5432:shop:me:hunter2',
  '*:*:*:me:hunter2',
])('may hold a secret: %s', text => expect(mayHoldPassword(text)).toBe(true));

test.each([
  '/srv/shop.db',
  '/srv/shop@2026.db',
  '/srv/year=2026/month:11/shop.db',
  '/srv/100%/a:b.db',
  'Shop: production',
  'owner:anna',
  'anna@example.com',
  'bypass=1',
  'passwords.db',
  '2026-11-22T10:11:12:13',
])('holds no secret: %s', text => expect(mayHoldPassword(text)).toBe(false));

test.each(['h', 'localhost', 'db.example.com.', 'my_db', '_sql.h', 'größe.example', '10.0.0.1', '::1', 'fe80::1%eth0'])(
  'a host: %s',
  text => expect(isHost(text)).toBe(true),
);
test.each([
  '',
  '.',
  'a..b',
  '-h',
  'h-',
  'u@h',
  'u:p@h',
  'h/d',
  'h h',
  'h;x=1',
  'h:5432',
  `${'a'.repeat(64)}.b`,
  '/run/pg',
])('not a host: %j', text => expect(isHost(text)).toBe(false));

test('a user name has no colon', () => {
  expect([isUser('anna'), isUser('anna@server'), isUser('anna:hunter2')]).toEqual([true, true, false]);
});

test('long texts are checked at once', () => {
  for (const text of ['a:', 'pass', 'password   ', '%41', ':1:', '::@', 'a.']) {
    const cost = processorMilliseconds(() => {
      mayHoldPassword(text.repeat(20_000));
      isHost(text.repeat(20_000));
    });
    expect(cost).toBeLessThan(200);
  }
});
