/** MariaDB: for each write that ends badly, compares what is said with what remains. */

import { afterAll, beforeAll } from '@jest/globals';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { needs } from '../../needs.ts';
import { type CuttableLine, openLine } from '../../servers/cuttable-line.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { until } from '../../waiting/until.ts';
import { endpointOf, portsOf } from '../mysql/endpoint.ts';
import { type Case, testOutcomes } from './cases.ts';

needs(mariadbUnavailable()).describe('MariaDB: what is said about a write is true', () => {
  let server: MariadbServer;
  let line: CuttableLine;
  beforeAll(async () => {
    server = await startMariadb();
    await server.client('CREATE DATABASE own');
    line = await openLine(server.port);
  }, 60_000);
  afterAll(async () => {
    await line?.close();
    await server?.stop();
  });

  const ask = (sql: string) => server.ask(sql, 'own');
  const ours = "from information_schema.processlist where db = 'own' and host like '%:%'";
  /** The sleep shows that rows are being written. */
  const runs = (text: string) =>
    until(
      async () =>
        (
          await ask(`select count(*) ${ours} and info like '${text}%' and ${isMysql() ? 'time > 0' : 'time_ms > 300'}`)
        ).trim() !== '0',
      text,
    );
  const kill = async (what: 'QUERY' | 'CONNECTION') => {
    const id = (await ask(`select id ${ours} and info is not null limit 1`)).trim();
    await ask(`KILL ${what} ${id}`);
  };

  const slowly = dialect('select seq from seq_1_to_100 where sleep(0.05) = 0');
  const insert = `insert into t ${slowly}`;
  const unsafe = `insert into my ${slowly}`;
  const one = 'insert into t values (1)';
  const cancel = (text: string) => async (_: null, leave: () => void) => {
    await runs(text);
    leave();
  };
  const killing = (text: string, what: 'QUERY' | 'CONNECTION') => async () => {
    await runs(text);
    await kill(what);
  };

  const cases: readonly Case<null>[] = [
    { name: 'out of time', sql: insert, timeoutSeconds: 1, said: 'timeout', stays: false },
    { name: 'cancelled', sql: insert, said: 'cancelled', stays: false, trouble: cancel('insert') },
    { name: 'ended by a DBA', sql: insert, said: 'query_failed', stays: false, trouble: killing('insert', 'QUERY') },
    {
      name: 'its session ended by a DBA',
      sql: insert,
      said: 'outcome_unknown',
      stays: false,
      trouble: killing('insert', 'CONNECTION'),
    },
    {
      name: 'the line cut',
      sql: insert,
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        await runs('insert');
        line.now('cut');
      },
    },
    {
      name: 'the line silent',
      sql: insert,
      timeoutSeconds: 2,
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        await runs('insert');
        line.now('silent');
      },
    },
    {
      name: 'closed by us',
      sql: insert,
      said: 'not_connected',
      stays: false,
      trouble: async (_, __, database) => {
        await runs('insert');
        await database.close();
      },
    },
    {
      name: 'the server killed',
      sql: insert,
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        await runs('insert');
        process.kill(server.processId, 'SIGKILL');
        await server.restart();
      },
    },
    { name: 'refused', sql: 'insert into t values (1), (1)', said: 'query_failed', stays: false },
    {
      name: 'never sent',
      sql: one,
      said: 'not_connected',
      stays: false,
      before: () => line.set({ bytes: 'START TRANSACTION', passesThem: false, how: 'cut' }),
    },
    {
      name: 'a function that swallows its end',
      sql: "insert into t select benchmark(2000000000, sha2('a', 512))",
      timeoutSeconds: 1,
      said: 'timeout',
      stays: false,
    },
    {
      name: 'the line cut behind COMMIT',
      sql: one,
      said: 'outcome_unknown',
      stays: true,
      before: () => line.set({ bytes: 'COMMIT', passesThem: true, how: 'cut' }),
    },
    {
      name: 'the line cut before COMMIT',
      sql: one,
      said: 'outcome_unknown',
      stays: false,
      before: () => line.set({ bytes: 'COMMIT', passesThem: false, how: 'cut' }),
    },
    {
      name: 'the line silent behind COMMIT',
      sql: one,
      timeoutSeconds: 1,
      said: 'outcome_unknown',
      stays: true,
      before: () => line.set({ bytes: 'COMMIT', passesThem: true, how: 'silent' }),
    },
    { name: 'MyISAM, out of time', sql: unsafe, timeoutSeconds: 1, said: 'outcome_unknown', stays: true },
    { name: 'MyISAM, cancelled', sql: unsafe, said: 'outcome_unknown', stays: true, trouble: cancel('insert') },
    {
      name: 'MyISAM, ended by a DBA',
      sql: unsafe,
      said: 'outcome_unknown',
      stays: true,
      trouble: killing('insert', 'QUERY'),
    },
    {
      name: 'MyISAM, its session ended by a DBA',
      sql: unsafe,
      said: 'outcome_unknown',
      stays: true,
      trouble: killing('insert', 'CONNECTION'),
    },
    {
      name: 'MyISAM, closed by us',
      sql: unsafe,
      said: 'outcome_unknown',
      stays: true,
      trouble: async (_, __, database) => {
        await runs('insert');
        await database.close();
      },
    },
    {
      name: 'MyISAM, refused half-way',
      sql: 'insert into my values (1), (2), (1)',
      said: 'outcome_unknown',
      stays: true,
      words: /tables that cannot be rolled back.*Duplicate entry/,
    },
    { name: 'MyISAM, refused at once', sql: 'insert into my values (1001)', said: 'query_failed', stays: false },
    {
      name: 'a trigger that writes to MyISAM, out of time',
      sql: `insert into triggering ${slowly}`,
      timeoutSeconds: 1,
      said: 'outcome_unknown',
      stays: true,
    },
    {
      name: 'a procedure that commits, out of time',
      sql: 'call keeps()',
      timeoutSeconds: 1,
      said: 'outcome_unknown',
      stays: true,
    },
    {
      name: 'a procedure that commits, cancelled',
      sql: 'call keeps()',
      said: 'outcome_unknown',
      stays: true,
      trouble: cancel('insert'),
    },
    {
      name: 'a procedure that commits and begins anew, out of time',
      sql: 'call again()',
      timeoutSeconds: 1,
      said: 'outcome_unknown',
      stays: true,
    },
    {
      name: 'a procedure that commits and then fails',
      sql: 'call fails()',
      said: 'outcome_unknown',
      stays: true,
      words: /ended the transaction.*on purpose/,
    },
    {
      name: 'a procedure that commits nothing, out of time',
      sql: 'call plain()',
      timeoutSeconds: 1,
      said: 'timeout',
      stays: false,
    },
    { name: 'a procedure that is not there', sql: 'call nowhere()', said: 'query_failed', stays: false },
    {
      name: 'two tables dropped, the second not there',
      sql: 'drop table gone, nowhere',
      session: 'alone',
      // MySQL's DDL is atomic.
      ...(isMysql()
        ? { said: 'query_failed', stays: false }
        : { said: 'query_failed', stays: true, words: /what it had done before the error stays/ }),
    },
    {
      name: 'DDL, cancelled',
      sql: `create table made ${slowly}`,
      session: 'alone',
      said: 'outcome_unknown',
      stays: false,
      trouble: cancel('create'),
    },
    {
      name: 'DDL that waits for a lock',
      sql: 'alter table t add b int',
      session: 'alone',
      timeoutSeconds: 3,
      before: async () => {
        void server.client('lock tables t write; do sleep(8)', { database: 'own' }).catch(() => '');
        const holds = "select count(*) from information_schema.processlist where info like 'do sleep(8)%'";
        await until(async () => (await ask(holds)).trim() !== '0', 'the table is locked');
      },
      said: 'locked',
      stays: false,
    },
    {
      name: 'DDL, the line cut',
      sql: `create table made ${slowly}`,
      session: 'alone',
      said: 'outcome_unknown',
      stays: true,
      trouble: async () => {
        await runs('create');
        line.now('cut');
      },
    },
  ];

  testOutcomes(
    {
      world: () => null,
      open: () => openMysql(endpointOf({ ...server, port: line.port }, { database: 'own' }), portsOf(server)),
      prepare: async () => {
        line.set(null);
        await server.client(
          dialect(`
          DROP TABLE IF EXISTS t, my, triggering, made;
          CREATE OR REPLACE TABLE gone (a int);
          CREATE TABLE t (a int primary key) ENGINE=InnoDB;
          CREATE TABLE triggering (a int primary key) ENGINE=InnoDB;
          CREATE TABLE my (a int primary key) ENGINE=MyISAM;
          INSERT INTO my VALUES (1001);
          CREATE TRIGGER fires AFTER INSERT ON triggering FOR EACH ROW INSERT INTO my VALUES (new.a);
          CREATE OR REPLACE PROCEDURE plain() INSERT INTO t SELECT seq FROM seq_1_to_100 WHERE sleep(0.05) = 0;
          DELIMITER //
          CREATE OR REPLACE PROCEDURE keeps() BEGIN INSERT INTO t VALUES (1000); COMMIT; CALL plain(); END //
          CREATE OR REPLACE PROCEDURE again() BEGIN INSERT INTO t VALUES (1000); COMMIT; START TRANSACTION; CALL plain(); END //
          CREATE OR REPLACE PROCEDURE fails() BEGIN INSERT INTO t VALUES (1000); COMMIT; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'on purpose'; END //`),
          { database: 'own' },
        );
      },
      look: async () => {
        line.now('cut');
        // The other program that holds a lock for one case.
        const holder = (
          await ask("select id from information_schema.processlist where info like 'do sleep(8)%'")
        ).trim();
        if (holder !== '') await ask(`KILL ${holder}`);
        // Some end after seconds, so a look that finds one sleeps a while.
        const left = `select count(*) ${ours} and sleep(0.05) = 0`;
        await until(async () => (await ask(left)).trim() === '0', 'no session is left', 40);
        const rows = 'select count(*) from t union all select count(*) from my where a < 1001';
        const tables =
          "select count(*) <> 1 from information_schema.tables where table_schema = 'own' and table_name in ('gone', 'made')";
        return /[1-9]/.test(await ask(`${rows} union all ${tables}`));
      },
    },
    cases,
  );
});
