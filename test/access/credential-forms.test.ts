/**
 * What counts as a password in a field that clients see, what doesn't, and what remains of such a
 * connection from an older store.
 */

import { describe, expect, test } from '@jest/globals';
import {
  fieldsThatMayHoldPassword,
  isHost,
  isUser,
  mayHoldPassword,
  withoutPasswords,
} from '../../daemon/access/credential-forms.ts';
import { processorMilliseconds } from '../processor-time.ts';
import { connectionWith } from './principals.ts';

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

describe('a connection of an older store', () => {
  test('stays as it is if it holds no secret', () => {
    const connection = connectionWith({ host: 'h', user: 'u', tags: ['eu'] });
    expect(withoutPasswords(connection)).toBe(connection);
  });

  test('loses it and is blocked, is reported, and no two get the same name', () => {
    const secret = 'password=hunter2';
    const fields = { host: 'u:hunter2@h', socketPath: `/${secret}`, filePath: `/${secret}`, database: secret };
    const connection = connectionWith({
      ...{ ...fields, name: secret, user: 'u:hunter2', group: secret, tags: ['eu', secret] },
      ...{ tls: { mode: 'disable', caFile: secret }, externalClients: { level: 'readWrite', writeUntil: null } },
    });
    const known = withoutPasswords(connection);
    expect(JSON.stringify(known)).not.toContain('hunter2');
    expect(known).toMatchObject({
      id: connection.id,
      externalClients: { level: 'blocked' },
      tags: ['eu', expect.any(String)],
    });
    expect(fieldsThatMayHoldPassword(known)).toEqual(fieldsThatMayHoldPassword(connection));
    expect(fieldsThatMayHoldPassword(known)).toHaveLength(9);
    const other = withoutPasswords({ ...connection, id: '7a7f6a1e-0000-4000-8000-000000000001' });
    expect(other.name).not.toBe(known.name);
  });
});
