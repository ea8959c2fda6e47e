/**
 * A fitting user on a real MariaDB: the test tries what it can and can't do as that user, through
 * the server itself.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, PlannedRole, WantedRole } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { grantTarget, mysqlSteps } from '../../../daemon/engines/mysql/role/steps.ts';
import { planRole } from '../../../daemon/engines/mysql/role.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { endpointOf, portsOf } from '../mysql/endpoint.ts';
import { contextOf, runOn } from '../postgres/suite.ts';

const password = 'a-password-that-no-log-may-have-seen';
/** It has characters that could end the SQL around it, or act as wildcards in a grant. */
const evil = 'a_b%c`d\\e\'f"g -- ö';
const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

const wanted = (changes: Partial<WantedRole> = {}): WantedRole => ({
  name: 'fits',
  access: 'readOnly',
  schemas: null,
  statementSeconds: 7,
  ...changes,
});

needs(mariadbUnavailable()).describe('a fitting user on MariaDB', () => {
  let server: MariadbServer;
  const opened: Database[] = [];
  const ask = async (sql: string) => (await server.ask(sql)).trim();
  const open = (user: string, secret: string): Database => {
    const database = openMysql(endpointOf(server, { user }), { ...portsOf(server), password: async () => secret });
    opened.push(database);
    return database;
  };
  const owner = () => open('root', server.password);
  const as = (name: string) => open(name, password);
  const planned = async (role: WantedRole, database = owner()): Promise<PlannedRole> => {
    const answer = await planRole(database, contextOf(), role);
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    return answer.value;
  };
  const outcome = async (user: string, sql: string, session: 'read' | 'write' | 'alone') =>
    (await runOn(as(user), sql, { session })).outcome;

  beforeAll(async () => {
    server = await startMariadb([
      '--general-log',
      '--log-bin=bin',
      '--server-id=1',
      '--log-bin-trust-function-creators=1',
    ]);
    await server.client(`
      CREATE DATABASE shop; CREATE DATABASE other; CREATE DATABASE ${quoted(evil)};
      CREATE DATABASE ${quoted(evil.replace('_', 'X'))}; CREATE DATABASE \`line\nfeed\`;
      CREATE TABLE shop.goods (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20));
      INSERT INTO shop.goods (name) VALUES ('tea'), ('salt');
      CREATE TABLE shop.log (n INT);
      CREATE TRIGGER shop.logged AFTER INSERT ON shop.goods FOR EACH ROW INSERT INTO shop.log VALUES (NEW.id);
      CREATE VIEW shop.names AS SELECT name FROM shop.goods;
      CREATE TABLE other.secret (v INT); CREATE TABLE ${quoted(evil)}.t (v INT);
      CREATE TABLE ${quoted(evil.replace('_', 'X'))}.t (v INT);
      CREATE FUNCTION shop.f() RETURNS INT DETERMINISTIC RETURN 1;`);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(database => database.close()));
  });
  afterAll(async () => {
    await server.stop();
  }, 60_000);

  describe('that only reads', () => {
    const name = "ro `x` 'y' %";
    beforeAll(async () => {
      const plan = await planned(wanted({ name, schemas: ['shop', evil] }));
      expect(await plan.make(password)).toEqual({ kind: 'made' });
      expect(await plan.excess(as(name), contextOf())).toEqual({ kind: 'done', value: null });
    });

    test.each([
      'select * from shop.goods',
      'select * from shop.names',
      'show create view shop.names',
      `select * from ${quoted(evil)}.t`,
    ])('%s', async sql => {
      expect(await outcome(name, sql, 'read')).toMatchObject({ kind: 'done' });
    });

    test('reads a later table', async () => {
      await server.client('CREATE TABLE shop.later (v INT)');
      expect(await outcome(name, 'select * from shop.later', 'read')).toMatchObject({ kind: 'done' });
    });

    test.each([
      "insert into shop.goods (name) values ('x')",
      'update shop.goods set name = null',
      'delete from shop.goods',
      'truncate table shop.goods',
      'drop table shop.goods',
      'create table shop.mine (v int)',
      'create trigger shop.t before insert on shop.goods for each row set @a = 1',
      'select * from other.secret',
      `select * from ${quoted(evil.replace('_', 'X'))}.t`,
      'select * from mysql.user',
      'select shop.f()',
      "select * from shop.goods into outfile '/dev/null'",
      "load data infile '/etc/passwd' into table shop.goods",
      'create user mine',
      'create database mine',
      'grant select on shop.* to root',
      'set global general_log = off',
      'shutdown',
      'set role root',
      'lock tables shop.goods write',
    ])('%s is refused', async sql => {
      expect(await outcome(name, sql, 'alone')).toMatchObject({
        code: expect.stringMatching(/^(1142|1044|1045|1227|1370|1143|1410|1959|3530|1064)$/),
      });
    });

    test('shows only what it may see', async () => {
      const { rows } = await runOn(as(name), 'show databases');
      expect(rows.map(([database]) => database).sort()).toEqual(
        // MySQL shows it to everybody, with only what the account may see.
        ['information_schema', ...(isMysql() ? ['performance_schema'] : []), evil, 'shop'].sort(),
      );
      const files = await runOn(as(name), "select load_file('/etc/passwd')");
      expect(files.rows).toEqual([[null]]);
    });

    test('has an excess once it gets one', async () => {
      const plan = await planned(wanted({ name: 'again', schemas: ['shop'] }));
      expect(await plan.make(password)).toEqual({ kind: 'made' });
      for (const grant of ['INSERT ON shop.goods', 'SELECT ON other.*', 'FILE ON *.*', 'SELECT (n) ON shop.log']) {
        await server
          .ask(`GRANT ${grant} TO again@'127.0.0.1'`)
          .catch(() => server.ask(`GRANT ${grant} TO again@localhost`));
        // It is named, without the password's hash, which SHOW GRANTS may show.
        expect(await plan.excess(as('again'), contextOf())).toMatchObject({
          value: expect.stringMatching(
            new RegExp(
              `^the server grants ${grant.split(' ')[0]} .*ON \\S+ to \\S*again\\S*; revoke that, then try again$`,
            ),
          ),
        });
        await server
          .ask(`REVOKE ${grant} FROM again@'127.0.0.1'`)
          .catch(() => server.ask(`REVOKE ${grant} FROM again@localhost`));
      }
      expect(await plan.excess(as('again'), contextOf())).toEqual({ kind: 'done', value: null });
      expect(await plan.remove()).toEqual({ stays: null });
      expect(await plan.remove()).toMatchObject({ stays: expect.stringContaining('DROP USER') });
    });
  });

  describe('that reads and writes', () => {
    const name = 'rw';
    beforeAll(async () => {
      const plan = await planned(wanted({ name, access: 'readWrite', schemas: ['shop'] }));
      expect(await plan.make(password)).toEqual({ kind: 'made' });
      expect(await plan.excess(as(name), contextOf())).toEqual({ kind: 'done', value: null });
    });

    test.each([
      "insert into shop.goods (name) values ('rice')",
      "update shop.goods set name = 'rye' where id = 1",
      'delete from shop.goods where id = 2',
    ])('%s', async sql => {
      expect(await outcome(name, sql, 'write')).toMatchObject({ kind: 'done', rowsAffected: 1 });
    });

    test('sees the triggers, which a preview needs', async () => {
      const { rows } = await runOn(as(name), 'select trigger_name from information_schema.triggers');
      expect(rows).toEqual([['logged']]);
    });

    test.each([
      'truncate table shop.goods',
      'drop table shop.goods',
      'create table shop.mine (v int)',
      'drop database shop',
    ])('%s is refused', async sql => {
      expect(await outcome(name, sql, 'alone')).toMatchObject({ code: expect.stringMatching(/^(1142|1044)$/) });
    });
  });

  // MySQL stores no such limit with an account.
  if (!isMysql())
    test('a long statement ends by itself', async () => {
      expect(await ask("SELECT max_statement_time FROM mysql.user WHERE User = 'rw'")).toMatch(/^7\.0+$/);
    });

  test('no log of the server has seen the password', async () => {
    const made = /CREATE USER ['`]rw['`]/;
    const general = (await ask('SELECT @@datadir, @@general_log_file')).split('\t');
    const text = readFileSync(resolve(general[0] ?? '', general[1] ?? ''), 'utf8');
    expect(text).toMatch(made);
    expect(text).not.toContain(password);
    const events = await server.client('SHOW BINLOG EVENTS');
    expect(events).toMatch(made);
    expect(events).not.toContain(password);
  });

  test('an existing one is neither planned, nor made, nor dropped', async () => {
    const plan = await planned(wanted({ name: 'twice' }));
    await server.client(`CREATE USER twice@'127.0.0.1'; CREATE USER twice@localhost`);
    expect(await plan.make(password)).toMatchObject({ kind: 'failed', stays: null, failure: { code: '1396' } });
    expect(await ask("SELECT COUNT(*) FROM mysql.user WHERE User = 'twice'")).toBe('2');
    expect(await planRole(owner(), contextOf(), wanted({ name: 'twice' }))).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('already a user'),
    });
  });

  test('if a grant fails nothing remains', async () => {
    await server.client(`CREATE USER maker@'%' IDENTIFIED BY 'right'; GRANT CREATE USER ON *.* TO maker@'%';
      GRANT SELECT, SHOW VIEW ON shop.* TO maker@'%' WITH GRANT OPTION; GRANT SELECT ON other.* TO maker@'%'`);
    const plan = await planned(wanted({ name: 'half' }), open('maker', 'right'));
    expect(await plan.make(password)).toMatchObject({ kind: 'failed', stays: null, failure: { code: '1044' } });
    expect(await ask("SELECT COUNT(*) FROM mysql.user WHERE User = 'half'")).toBe('0');
  });

  test('all databases except the server’s own, and none whose name can’t be shown', async () => {
    const { steps, notes } = await planned(wanted());
    const text = steps.flatMap(({ statements }) => statements).join('\n');
    expect(text).toContain('ON `shop`.* TO');
    expect(text).not.toMatch(/`(mysql|sys|information\\?_schema|performance\\?_schema)`|line/);
    expect(notes).toContain('Databases whose names have characters that cannot be shown are left out.');
    expect(text).toContain('IDENTIFIED BY <a new password, in quotes>');
    expect(await planRole(owner(), contextOf(), wanted({ schemas: ['mysql'] }))).toMatchObject({
      kind: 'unsupported',
    });
  });

  test('a role’s grants show what it may write', async () => {
    expect(await as('rw').status(contextOf())).toMatchObject({ value: { mayWrite: true, warnings: [] } });
    expect(await as("ro `x` 'y' %").status(contextOf())).toMatchObject({ value: { mayWrite: false, warnings: [] } });
    expect(await owner().status(contextOf())).toMatchObject({ value: { mayWrite: true } });
    await server.client(`CREATE TABLE shop.narrow (a INT, \`b (UPDATE)\` INT); CREATE USER some@'%' IDENTIFIED BY 'right', few@'%' IDENTIFIED BY 'right';
      GRANT SELECT (a, \`b (UPDATE)\`), UPDATE (a) ON shop.narrow TO some@'%'; GRANT SELECT (\`b (UPDATE)\`) ON shop.narrow TO few@'%'`);
    expect(await open('some', 'right').status(contextOf())).toMatchObject({ value: { mayWrite: true } });
    expect(await open('few', 'right').status(contextOf())).toMatchObject({ value: { mayWrite: false } });
  });
});

describe('on MySQL', () => {
  const facts = {
    isMariadb: false,
    host: '%',
    isTaken: false,
    databases: [],
    mayCreateUsers: true,
    namesAreLiteral: false,
    inSight: null,
  };
  test('the server hashes the password, and no time limit is set', () => {
    const [first] = mysqlSteps(facts, wanted(), ['shop'], 'pass');
    expect(first?.statements).toEqual(["CREATE USER `fits`@`%`\n  IDENTIFIED BY 'pass'"]);
  });

  test('a name is escaped, but not under partial_revokes', () => {
    expect(grantTarget('a_b%c\\`', false)).toBe('`a\\_b\\%c\\\\```.*');
    expect(grantTarget('a_b', true)).toBe('`a_b`.*');
  });
});
