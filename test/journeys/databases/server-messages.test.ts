/**
 * A database's messages beside a result reach the caller on each path, and are never more than a
 * few sentences.
 */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectWithin, here } from '../../waiting/limits.ts';
import { describeWithThreeEngines } from './three-engines.ts';

describeWithThreeEngines(
  'the messages of databases',
  three => {
    let token: string;
    beforeAll(async () => {
      ({ token } = await three.mint('--scope', 'read-write'));
      await three.postgres.psql(
        `
        create table item (id int primary key, v text); insert into item values (1, 'a'), (2, 'b');
        create function tell_row() returns trigger language plpgsql as $$ begin raise notice 'row %', new.id; return new; end $$;
        create trigger telling before update on item for each row execute function tell_row();
        create table late (id int primary key);
        create constraint trigger telling after insert on late deferrable initially deferred for each row execute function tell_row();
        create function many_rows() returns setof int language plpgsql as $$ begin
          for i in 1..100000 loop raise notice 'turn %', i; end loop; return next 1; end $$;
        create sequence counted;
        create schema "Odd"; create type "Odd".mood as enum ('sad', 'it''s ok', 'happy');
        create table felt (id int primary key, how "Odd".mood, state text constraint known check (state in ('open', 'paid')));
        create domain percent as int constraint to_hundred check (value between 0 and 100);
        create table rated (id int primary key, part percent)`,
        'shop',
      );
      await three.mariadb.client(`use shop;
        create table narrow (id int auto_increment primary key, n tinyint); insert into narrow (n) values (1);
        create table uniq (id int auto_increment primary key, email varchar(40) unique); insert into uniq (email) values ('a@x');
        create table felt (id int primary key, how enum('sad', 'it''s ok'), state varchar(9), constraint known check (state in ('open', 'paid')));
        create table event (id int primary key, at datetime); insert into event values (1, '2024-06-01 12:00:00')`);
      three.executeOnFile('create table item (id integer primary key, v text)');
      three.executeOnFile(
        "create table felt (id integer, state text constraint known check (state in ('open', 'paid')))",
      );
      for (const name of ['Pg', 'Maria', 'File'])
        await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
    }, 60_000);

    const answerOf = (tool: string, args: Record<string, unknown>) => three.answer(token, tool, args);
    const queried = (connection: string, sql: string) => answerOf('execute_query', { connection, sql });

    const tenAndMore = [
      ...Array.from({ length: 10 }, (_, at) => `NOTICE: turn ${at + 1}`),
      'The database said 99990 more, which are left out.',
    ];

    test('a read, a write and a file of PostgreSQL', async () => {
      expect((await queried('Pg', 'create table if not exists item (zzz int)')).warnings).toEqual([
        'NOTICE: relation "item" already exists, skipping',
      ]);
      expect((await queried('Pg', "update item set v = 'c' where id = 1")).warnings).toEqual(['NOTICE: row 1']);
      expect((await queried('Pg', 'insert into late values (3)')).warnings).toEqual(['NOTICE: row 3']);
      const began = performance.now();
      expect((await queried('Pg', 'select * from many_rows()')).warnings).toEqual(tenAndMore);
      const file = await answerOf('export_data', {
        connection: 'Pg',
        sql: 'select * from many_rows()',
        format: 'csv',
      });
      expect(file.warnings).toEqual(tenAndMore);
      expectWithin(began, 10_000);
      expect(await queried('Pg', 'select 1')).not.toHaveProperty('warnings');
    });

    test('a preview, including messages of the commit', async () => {
      const previewed = async (connection: string, sql: string) =>
        (await answerOf('preview_write', { connection, sql })).warnings;
      expect(await previewed('Pg', "update item set v = 'c' where id = 2")).toEqual([
        'NOTICE: row 2',
        'Triggers ran where they apply: "telling".',
      ]);
      expect(await previewed('Pg', 'insert into late values (4)')).toContain('NOTICE: row 4');
      expect(await previewed('Maria', 'insert ignore into narrow (n) values (300)')).toContainEqual(
        expect.stringMatching(/^Warning 1264: Out of range/),
      );
    });

    test('a write and a read of MariaDB; EXPLAIN doesn’t report its own note', async () => {
      const narrow = await queried('Maria', 'insert ignore into narrow (n) values (300)');
      expect(narrow).toMatchObject({ rows_affected: 1, warnings: [expect.stringMatching(/^Warning 1264/)] });
      for (const _ of [1, 2]) {
        const { warnings } = await queried('Maria', "select cast('abc' as signed), 1/0, '12abc' + 1");
        expect(warnings).toContainEqual(expect.stringMatching(/^Warning 1292/));
        expect(await queried('Maria', 'explain select * from narrow where id = 1')).not.toHaveProperty('warnings');
        expect(await queried('Maria', 'explain update narrow set n = 2 where id = 1')).not.toHaveProperty('warnings');
      }
    });

    test('the id of a new row is shown beside the count, and what ended with the session is reported', async () => {
      expect(await queried('Maria', "insert into uniq (email) values ('e@x')")).toMatchObject({
        rows_affected: 1,
        insert_id: 2,
      });
      const next = await queried('Maria', 'select last_insert_id()');
      expect(next).toMatchObject({ rows: [['0']], warnings: [expect.stringContaining('insert_id')] });
      expect(next).not.toHaveProperty('insert_id');
      await queried('Maria', 'insert ignore into narrow (n) values (300)');
      expect(await queried('Maria', 'show warnings')).toMatchObject({
        rows: [],
        warnings: [expect.stringContaining('session of its own')],
      });
      expect(await queried('File', 'select last_insert_rowid()')).toMatchObject({
        warnings: [expect.stringContaining('RETURNING')],
      });
    });

    test.each([
      "select currval('counted')",
      'select lastval()',
      `select "currval"('counted')`,
      'select pg_catalog."lastval" ()',
    ])('%s', async sql => {
      const { json } = await three.call(token, 'execute_query', { connection: 'Pg', sql });
      expect(JSON.stringify(json)).toContain('Each call has a session of its own: INSERT … RETURNING');
    });

    test('the database’s own refusal, for a read-only role or on a standby, is reported as such', async () => {
      await three.postgres.psql(
        `create role reads_only login superuser password 'not-a-secret'; alter role reads_only set default_transaction_read_only = on`,
      );
      const url = `postgresql://reads_only@127.0.0.1:${three.postgres.port}/shop`;
      await three.here(['connections', 'add', url, '--name', 'Standby', '--password-stdin'], 'not-a-secret');
      await three.here(['connections', 'set', 'Standby', '--external-clients', 'read-write']);
      const sql = "update item set v = 'd' where id = 1";
      for (const tool of ['execute_query', 'preview_write']) {
        const { json } = await three.call(token, tool, { connection: 'Standby', sql });
        const text = JSON.stringify(json);
        expect(text).toMatch(/denied: The database itself lets this connection only read: .*read-only transaction/);
        expect(text).not.toContain('what was asked for only reads');
      }
    });

    test('commands of MySQL’s own client are to be sent without them', async () => {
      const sql = 'DELIMITER $$\ncreate procedure demo_p() begin select 1; end$$\nDELIMITER ;';
      const { json } = await three.call(token, 'execute_query', { connection: 'Maria', sql });
      expect(JSON.stringify(json)).toContain(
        'DELIMITER is a command of the command-line client; send each statement by itself',
      );
    });

    test('a refusal by an enum or a CHECK gets the accepted values', async () => {
      const refusedBy = async (connection: string, sql: string, more = {}) =>
        JSON.stringify((await three.call(token, 'execute_query', { connection, sql, ...more })).json);
      const labels = `\\"Odd\\".mood takes 'sad', 'it''s ok', 'happy'.`;
      expect(await refusedBy('Pg', "insert into felt values (1, 'glad')")).toContain(labels);
      expect(await refusedBy('Pg', "select * from felt where how = 'glad'")).toContain(labels);
      expect(await refusedBy('Pg', 'select * from felt where how = $1', { parameters: ['glad'] })).toContain(labels);
      expect(await refusedBy('Pg', "insert into felt values (1, 'sad', 'lost')")).toMatch(/known is .*'open'.*'paid'/);
      expect(await refusedBy('Pg', 'insert into rated values (1, 101)')).toMatch(
        /to_hundred is VALUE >= 0 AND VALUE <= 100/,
      );
      const { tables } = await answerOf('describe_table', { connection: 'Pg', table: 'rated' });
      expect(tables).toMatchObject([
        { columns: ['id integer not null', 'part percent check (VALUE >= 0 AND VALUE <= 100)'] },
      ]);
      expect(await refusedBy('Maria', "insert into felt (id, how) values (1, 'glad')")).toContain(
        "how takes 'sad', 'it''s ok'.",
      );
      expect(await refusedBy('Maria', "update felt f set f.state = 'lost'")).not.toContain('known is');
      expect(await refusedBy('Maria', "insert into felt (id, state) values (1, 'lost')")).toMatch(
        /known is .*'open'.*'paid'/,
      );
      expect(await refusedBy('File', "insert into felt values (1, 'lost')")).toMatch(/known is .*'open'.*'paid'/);
    });

    test('CONVERT_TZ on a server without that zone is explained as NULL', async () => {
      const { rows, warnings } = await queried(
        'Maria',
        "select count(*) from event where convert_tz(at, 'UTC', 'Europe/Berlin') > '2024-01-01'",
      );
      expect([rows, warnings]).toEqual([
        [['0']],
        [
          expect.stringMatching(
            /^This server knows no names of time zones, so CONVERT_TZ with one is NULL, and a condition/,
          ),
        ],
      ]);
      const write = await queried(
        'Maria',
        "update event set at = at where id = 1 and convert_tz(at, 'UTC', 'Europe/Berlin') > '2024-01-01'",
      );
      expect(write.warnings).toEqual([expect.stringContaining('no names of time zones')]);
      const sql = "select convert_tz(at, 'UTC', 'Europe/Berlin') from event";
      const file = await answerOf('export_data', { connection: 'Maria', sql, format: 'csv' });
      expect(file.warnings).toEqual([expect.stringContaining('no names of time zones')]);
      const preview = await answerOf('preview_write', {
        connection: 'Maria',
        sql: "delete from event where convert_tz(at, 'UTC', 'Europe/Berlin') > '2024-01-01'",
      });
      expect(preview.warnings).toEqual(expect.arrayContaining([expect.stringContaining('no names of time zones')]));
      expect(await queried('Maria', "select convert_tz(at, '+00:00', '+02:00') from event")).not.toHaveProperty(
        'warnings',
      );
      await three.mariadb.client(`use mysql; set statement sql_log_bin = 0 for insert into time_zone values (1, 'N'), (2, 'N');
        insert into time_zone_name values ('UTC', 1), ('Europe/Berlin', 2);
        insert into time_zone_transition_type values (1, 0, 0, 0, 'UTC'), (2, 0, 7200, 1, 'CEST');
        insert into time_zone_transition values (2, 0, 0)`);
      const known = "select convert_tz(at, 'UTC', 'Europe/Berlin') from event";
      expect(await queried('Maria', known)).not.toHaveProperty('warnings');
      const misspelled = await queried('Maria', known.replace('Berlin', 'Berln'));
      expect(misspelled.warnings).toEqual([expect.stringContaining("no time zone 'Europe/Berln'")]);
    });

    test('the time of a statement doesn’t include look-ups for its classification', async () => {
      const holds = three.postgres.psql(
        'begin; lock table pg_catalog.pg_operator in access exclusive mode; select pg_sleep(1.5); commit',
        'shop',
      );
      await new Promise(resolve => setTimeout(resolve, 300));
      const began = performance.now();
      const answer = await queried('Pg', 'select id from late');
      const whole = performance.now() - began;
      await holds;
      expect(whole).toBeGreaterThan(700);
      // Left out if it is below 100.
      expect(answer.execution_time_ms ?? 0).toBeLessThan(here(500));
    });

    test('a bare user in FROM of a write is reported as no table', async () => {
      await three.postgres.psql('create table public."user" (id int); create table marked (n int)', 'shop');
      const told = [`A bare user in FROM is PostgreSQL's function, not the table, which is written public."user".`];
      expect((await queried('Pg', 'insert into marked select count(*) from user')).warnings).toEqual(told);
    });

    test('a variable ends with its call; its own limit is reported as such', async () => {
      const counted = 'select @r := @r + 1 as place, id from uniq, (select @r := 0) start where id = 1';
      expect((await queried('Maria', counted)).rows).toEqual([[1, 1]]);
      expect((await queried('Maria', 'select @r')).rows).toEqual([[null]]);
      expect(
        (await queried('Maria', 'set statement max_statement_time = 5 for select id from uniq where id = 1')).rows,
      ).toEqual([[1]]);
      const asked = { connection: 'Maria', sql: 'set statement max_statement_time = 0.2 for select sleep(5)' };
      const { json } = await three.call(token, 'execute_query', asked);
      expect(JSON.stringify(json)).toMatch(/max_statement_time exceeded|1969/);
      const bound = {
        connection: 'Maria',
        sql: 'set statement max_statement_time = 5 for select id from uniq where id = ?',
      };
      expect(await answerOf('execute_query', { ...bound, parameters: [1] })).toMatchObject({ rows: [[1]] });
    });

    describe('at a terminal', () => {
      test('warnings are beside the rows', async () => {
        const { stderr } = await three.here(['query', 'Pg', 'select * from many_rows()']);
        expect(stderr).toContain('NOTICE: turn 10');
        expect(stderr).toContain('99990 more');
        expect(stderr).not.toContain('turn 11');
      });
    });
  },
  { exports: 'at home' },
);
