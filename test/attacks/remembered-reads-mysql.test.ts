/**
 * Threat: as in remembered-reads.test.ts, on MariaDB. Between two identical reads another session
 * replaces what the first one read by a view or function, and the second is classified by what is
 * there.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { collect } from '../engines/collecting-sink.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { readAsAClient } from './read-as-a-client.ts';

const patienceMilliseconds = 120_000;
/** Changes the server despite a read-only transaction. */
const acts = 'set global max_connections = 77';

const fixture = `
  set global max_connections = 50; drop database if exists shop; create database shop; use shop;
  create table people (id int, name varchar(20)); insert into people values (1, 'x');
  create function loud() returns int reads sql data begin ${acts}; return 1; end;
  create table others (id int);
  create view seen as select id, name from people;
`;

const changes: readonly (readonly [what: string, read: string, change: string])[] = [
  [
    'a table makes room for a view',
    'select id from people',
    'rename table people to p2; create view people as select loud() as id',
  ],
  ['a view gets another query', 'select id from seen', 'create or replace view seen as select loud() as id'],
  [
    'a table of a join makes room for a view',
    'select a.id from people a join others b on a.id = b.id',
    'rename table people to p2; create view people as select loud() as id',
  ],
];

needs(mariadbUnavailable()).describe('reads on MariaDB that were classified before', () => {
  let server: MariadbServer;
  const opened: Database[] = [];
  const open = (): Database => {
    const database = openMysql(endpointOf(server, { database: 'shop' }), portsOf(server));
    opened.push(database);
    return database;
  };
  const most = async () => (await server.ask('select @@max_connections')).trim();

  beforeAll(async () => {
    server = await lendMariadb();
  }, patienceMilliseconds);
  afterAll(async () => {
    await Promise.all(opened.map(database => database.close()));
    await server?.stop();
  }, patienceMilliseconds);

  test.each(changes)(
    '%s',
    async (_what, sql, change) => {
      await server.client(
        fixture.replace('create function', 'delimiter //\ncreate function').replace('end;', 'end //\ndelimiter ;'),
      );
      const database = open();
      for (let turn = 0; turn < 3; turn += 1) expect(await readAsAClient(database, sql)).toBe('done');
      await server.ask(change, 'shop');
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await readAsAClient(database, sql)).toMatch(/^(denied|unsupported): /);
        expect(await most()).toBe('50');
      }
      // Proves that it would have acted, in the same kind of session without classification.
      await collect(open(), sql);
      expect(await most()).toBe('77');
    },
    patienceMilliseconds,
  );
});
