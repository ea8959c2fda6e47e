/** The time limits of a statement: the rule alone, as a server and its user may set any. */

import { expect, test } from '@jest/globals';
import { timeLimits } from '../../../daemon/engines/mysql/run/time-limits.ts';

const own = { statement: 5, rowLock: 50, tableLock: 50 };
const mysql = { server: 'mysql', own } as const;
const mariadb = { server: 'mariadb', own } as const;
const context = { timeoutSeconds: 30 };

test('MySQL’s own limit holds for a SELECT that only reads, and a write has the whole time of its call', () => {
  for (const [kind, sql] of [
    ['write', 'update t set a = 1'],
    ['write', 'select writes()'],
    ['alone', 'optimize table t'],
    ['rollback', 'update t set a = 1'],
    ['read', 'checksum table t'],
    ['read', 'show tables'],
  ] as const) {
    const limits = timeLimits(kind, mysql, context, { sql });
    expect([sql, limits.statement, limits.isServers]).toEqual([sql, { seconds: 30, servers: null }, false]);
    expect(limits.sql).toContain('max_execution_time = 5000,');
  }
  for (const sql of [
    'select 1',
    '-- all\n(select 1)',
    'with a as (select 1) select * from a',
    'explain analyze select 1',
  ])
    expect([sql, timeLimits('read', mysql, context, { sql })]).toEqual([
      sql,
      expect.objectContaining({ statement: { seconds: 5, servers: 'max_execution_time' }, isServers: true }),
    ]);
});

test('MariaDB’s own limit holds for any statement', () => {
  for (const kind of ['read', 'write', 'alone', 'rollback'] as const)
    expect(timeLimits(kind, mariadb, context, { sql: 'update t set a = 1' })).toMatchObject({
      statement: { seconds: 5, servers: 'max_statement_time' },
      isServers: true,
    });
});
