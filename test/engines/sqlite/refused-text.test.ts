/** What a read session refuses before SQLite sees it: a PRAGMA acts while it is prepared. */

import { expect, test } from '@jest/globals';
import { refusalOfText } from '../../../daemon/engines/sqlite/child/guard.ts';

test.each([
  'select 1',
  'pragma table_info(t)',
  'pragma main.table_info = t',
  'PRAGMA user_version',
  ' /* a */ pragma -- b\n integrity_check',
  'explain select 1',
])('%j passes', sql => {
  expect(refusalOfText(sql, 'read')).toBeNull();
});

test.each([
  'pragma user_version = 1',
  'pragma journal_mode(wal)',
  'pragma main.writable_schema=on',
  'pragma wal_checkpoint',
  'pragma incremental_vacuum',
  'pragma query_only = off',
  '/**/pragma"foreign_keys"=0',
  'pragma',
])('%j is refused', sql => {
  expect(refusalOfText(sql, 'read')).toMatchObject({ kind: 'read_only' });
  expect(refusalOfText(sql, 'write')).toBeNull();
});

test('a NUL is refused in every session', () => {
  for (const session of ['read', 'write'] as const)
    expect(refusalOfText('select 1\0; drop table t', session)).toMatchObject({ kind: 'unsupported' });
});
