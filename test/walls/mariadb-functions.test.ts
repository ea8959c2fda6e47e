/**
 * Each function that MariaDB itself lists, called in many ways. The classifier knows all of them,
 * and calls that pass as a read leave no trace, even for an account with all privileges in a
 * transaction that may write. Two are left out: functions that only take time, and
 * LAST_INSERT_ID(n), whose trace the session's reset removes.
 */

import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { classifyMysql as classify } from '../../daemon/guard/mysql/classify.ts';
import { needs } from '../needs.ts';
import { type MariadbServer, mariadbUnavailable, startMariadb } from '../servers/mariadb.ts';

const argumentLists = [
  '',
  '1',
  "'x'",
  '1, 1',
  "'x', 'x'",
  "'x', 1",
  '1, 1, 1',
  "'x', 'x', 'x'",
  `'{"a":1}', '$.a'`,
  'now()',
  "ST_GeomFromText('POINT(1 1)')",
  '1, 1, 1, 1',
];

let server: MariadbServer;
let connection: Connection;
beforeAll(async () => {
  if (mariadbUnavailable() !== null) return;
  server = await startMariadb(['--log-bin=bin', '--secure-file-priv=']);
  const { host, port, user, password } = server;
  connection = await createConnection({ host, port, user, password });
  for (const sql of ['create database adv', 'use adv', 'set @@max_statement_time = 1']) await connection.query(sql);
}, 60_000);
afterAll(async () => {
  await connection?.end();
  await server?.stop();
}, 60_000);

const look = `select last_insert_id(), database(), @@autocommit,
  (select count(*) from information_schema.innodb_trx where trx_mysql_thread_id = connection_id() and (trx_rows_modified > 0 or trx_lock_structs > 0)),
  (select count(*) from performance_schema.metadata_locks l join performance_schema.threads h on h.thread_id = l.owner_thread_id
    where h.processlist_id = connection_id() and object_type = 'USER LEVEL LOCK')`;

needs(mariadbUnavailable()).test(
  'calls that pass as a read leave no trace, and all are known',
  async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      "select FUNCTION as name from information_schema.SQL_FUNCTIONS where FUNCTION not in ('BENCHMARK', 'SLEEP', 'LAST_INSERT_ID')",
    );
    const names = rows.map(row => String(row.name));
    expect(names.length).toBeGreaterThan(200);
    const seen = async () =>
      JSON.stringify([
        (await connection.query<RowDataPacket[]>(look))[0],
        (await connection.query<RowDataPacket[]>('show master status'))[0],
      ]);
    const traces: string[] = [];
    let ran = 0;
    for (const name of names) {
      const before = await seen();
      const reads = argumentLists.map(list => `SELECT ${name}(${list})`).filter(sql => classify(sql).class === 'read');
      for (const sql of reads) {
        const isTaken = await connection.query(sql).then(
          () => true,
          () => false,
        );
        if (!isTaken) continue;
        ran += 1;
        expect([sql, classify(sql).calls]).toEqual([sql, []]);
      }
      const after = await seen();
      if (after !== before) traces.push(`${name}: ${before} ${after}`);
    }
    expect(traces).toEqual([]);
    expect(ran).toBeGreaterThan(300);
  },
  120_000,
);
