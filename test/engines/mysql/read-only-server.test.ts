/**
 * A server that only reads (`read_only`, as on a replica): reads go on, and what a write is told is
 * what PostgreSQL's standby says.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { refusalOfWrite } from '../../../daemon/statement/failure-refusals.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { call, collect } from '../collecting-sink.ts';
import { endpointOf } from './endpoint.ts';

needs(mariadbUnavailable()).describe('a server that only reads', () => {
  let server: MariadbServer;
  const password = 'right-Zq7';

  beforeAll(async () => {
    server = await startMariadb();
    await server.client(
      `create database own; create table own.t (id int primary key); insert into own.t values (1), (2);
       create user anna@'127.0.0.1' identified by '${password}'; grant all on own.* to anna@'127.0.0.1'`,
    );
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
  });

  test.each(['read_only', ...(isMysql() ? ['super_read_only'] : [])])('%s', async variable => {
    const database = openMysql(endpointOf(server, { database: 'own', user: 'anna' }), {
      password: async () => password,
      now: () => performance.now(),
    });
    try {
      expect((await collect(database, 'delete from t where id = 2', { session: 'write' })).outcome.kind).toBe('done');
      await server.client(`set global ${variable} = 1`);
      const all = await collect(database, 'select id from t');
      expect([all.outcome.kind, all.rows]).toEqual(['done', [[1]]]);
      for (const sql of ['delete from t', 'insert into t values (3)', 'create table u (id int)', 'truncate t']) {
        const { outcome } = await collect(database, sql, { session: 'write' });
        expect([sql, outcome]).toMatchObject([sql, { kind: 'read_only', message: expect.stringMatching(/read-only/) }]);
        if (outcome.kind !== 'read_only') return;
        expect(refusalOfWrite(outcome, { name: 'Shop', host: null, socketPath: null, filePath: null })).toMatchObject({
          word: 'denied',
          sentence: expect.stringMatching(/^The database itself lets this connection only read: /),
        });
      }
      const sink = { columns() {}, row: () => true };
      const rehearsed = await database.rehearse(call, ({ run }) =>
        run({ sql: 'delete from t', parameters: [], limits: call.limits, ours: false }, sink),
      );
      expect(rehearsed).toMatchObject({ kind: 'done', value: { kind: 'read_only' } });
    } finally {
      await server.client(`set global ${variable} = 0; set global read_only = 0`);
      await server.client('replace into own.t values (1), (2)');
      await database.close();
    }
  });
});
