/** MariaDB: for each write that ends badly, compares what is said with what remains. */

import { afterAll, beforeAll, expect } from '@jest/globals';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { endedByItself, keptByTables } from '../../../daemon/engines/mysql/run/take-back.ts';
import { needs } from '../../needs.ts';
import { type CuttableLine, openLine } from '../../servers/cuttable-line.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { until } from '../../waiting/until.ts';
import { endpointOf, portsOf } from '../mysql/endpoint.ts';
import { type Case, closes, leaves, once, testOutcomes } from './cases.ts';

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
  const inserting = once(() => runs('insert'));
  const creating = once(() => runs('create'));
  const killQuery = () => kill('QUERY');
  const killConnection = () => kill('CONNECTION');
  const killServer = async () => {
    process.kill(server.processId, 'SIGKILL');
    await server.restart();
  };
  const cutAt = (bytes: string, passesThem: boolean) => () => line.set({ bytes, passesThem, how: 'cut' });
  const silentBehindCommit = () => line.set({ bytes: 'COMMIT', passesThem: true, how: 'silent' });
  const lockTable = async () => {
    void server.client('lock tables t write; do sleep(8)', { database: 'own' }).catch(() => '');
    const holds = "select count(*) from information_schema.processlist where info like 'do sleep(8)%'";
    await until(async () => (await ask(holds)).trim() !== '0', 'the table is locked');
  };
  const says = (reason: string, theirs: string) => ({ reason: expect.stringMatching(`^${reason}.*${theirs}`) });
  const saysStays = {
    stays: true,
    message: expect.stringMatching(
      /nowhere.* \(It runs in no transaction: what it had done before the error stays\.\)$/,
    ),
  };
  // MySQL's DDL is atomic.
  const dropped = isMysql() ? 'gone' : 'stays';

  const cases: readonly Case[] = [
    ['out of time', insert, 'timeout', 'gone', { seconds: 1 }],
    ['cancelled', insert, 'cancelled', 'gone', { trouble: inserting(leaves) }],
    ['ended by a DBA', insert, 'query_failed', 'gone', { trouble: inserting(killQuery) }],
    ['its session ended by a DBA', insert, 'outcome_unknown', 'gone', { trouble: inserting(killConnection) }],
    ['the line cut', insert, 'outcome_unknown', 'gone', { trouble: inserting(() => line.now('cut')) }],
    [
      'the line silent',
      insert,
      'outcome_unknown',
      'gone',
      { seconds: 2, trouble: inserting(() => line.now('silent')) },
    ],
    ['closed by us', insert, 'not_connected', 'gone', { trouble: inserting(closes) }],
    ['the server killed', insert, 'outcome_unknown', 'gone', { trouble: inserting(killServer) }],
    ['refused', 'insert into t values (1), (1)', 'query_failed', 'gone'],
    ['never sent', one, 'not_connected', 'gone', { before: cutAt('START TRANSACTION', false) }],
    [
      'a function that swallows its end',
      "insert into t select benchmark(2000000000, sha2('a', 512))",
      'timeout',
      'gone',
      { seconds: 1 },
    ],
    ['the line cut behind COMMIT', one, 'outcome_unknown', 'stays', { before: cutAt('COMMIT', true) }],
    ['the line cut before COMMIT', one, 'outcome_unknown', 'gone', { before: cutAt('COMMIT', false) }],
    ['the line silent behind COMMIT', one, 'outcome_unknown', 'stays', { seconds: 1, before: silentBehindCommit }],
    ['MyISAM, out of time', unsafe, 'outcome_unknown', 'stays', { seconds: 1 }],
    ['MyISAM, cancelled', unsafe, 'outcome_unknown', 'stays', { trouble: inserting(leaves) }],
    ['MyISAM, ended by a DBA', unsafe, 'outcome_unknown', 'stays', { trouble: inserting(killQuery) }],
    ['MyISAM, its session ended by a DBA', unsafe, 'outcome_unknown', 'stays', { trouble: inserting(killConnection) }],
    ['MyISAM, closed by us', unsafe, 'outcome_unknown', 'stays', { trouble: inserting(closes) }],
    [
      'MyISAM, refused half-way',
      'insert into my values (1), (2), (1)',
      'outcome_unknown',
      'stays',
      { has: says(keptByTables, 'Duplicate entry') },
    ],
    ['MyISAM, refused at once', 'insert into my values (1001)', 'query_failed', 'gone'],
    [
      'a trigger that writes to MyISAM, out of time',
      `insert into triggering ${slowly}`,
      'outcome_unknown',
      'stays',
      { seconds: 1 },
    ],
    ['a procedure that commits, out of time', 'call keeps()', 'outcome_unknown', 'stays', { seconds: 1 }],
    ['a procedure that commits, cancelled', 'call keeps()', 'outcome_unknown', 'stays', { trouble: inserting(leaves) }],
    [
      'a procedure that commits and begins anew, out of time',
      'call again()',
      'outcome_unknown',
      'stays',
      { seconds: 1 },
    ],
    [
      'a procedure that commits and then fails',
      'call fails()',
      'outcome_unknown',
      'stays',
      { has: says(endedByItself, 'on purpose') },
    ],
    ['a procedure that commits nothing, out of time', 'call plain()', 'timeout', 'gone', { seconds: 1 }],
    ['a procedure that is not there', 'call nowhere()', 'query_failed', 'gone'],
    [
      'two tables dropped, the second not there',
      'drop table gone, nowhere',
      'query_failed',
      dropped,
      { session: 'alone', ...(!isMysql() && { has: saysStays }) },
    ],
    [
      'DDL, cancelled',
      `create table made ${slowly}`,
      'outcome_unknown',
      'gone',
      { session: 'alone', trouble: creating(leaves) },
    ],
    [
      'DDL that waits for a lock',
      'alter table t add b int',
      'locked',
      'gone',
      { session: 'alone', seconds: 3, before: lockTable },
    ],
    [
      'DDL, the line cut',
      `create table made ${slowly}`,
      'outcome_unknown',
      'stays',
      { session: 'alone', trouble: creating(() => line.now('cut')) },
    ],
  ];

  testOutcomes(
    {
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
