/**
 * What a token, a connection's level and a statement's class allow together, on the three engines,
 * through the built daemon.
 */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import { beginsWith } from '../../begins-with.ts';
import { modern, pause } from '../../bridge/bridge-process.ts';
import { until } from '../../waiting/until.ts';
import {
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
  type ToolResult,
} from './three-engines.ts';

const bigId = '9007199254740993';

interface Dialect {
  readonly create: string;
  readonly insert: string;
  readonly forbidden: readonly string[];
  readonly destructive: readonly string[];
}

const common = {
  destructive: ['drop table kept', 'delete from kept', 'update kept set name = null', 'delete from kept where 1 = 1'],
  forbidden: ['select 1; select 2', 'begin', 'commit', 'rollback'],
};
const dialects: Readonly<Record<EngineName, Dialect>> = {
  postgres: {
    create: 'create table kept (id bigint primary key, name text)',
    insert: 'insert into kept (id, name) values ($1, $2)',
    destructive: [...common.destructive, 'truncate kept', 'alter table kept drop column name', 'drop role nobody'],
    forbidden: [
      ...common.forbidden,
      "set role 'postgres'",
      "copy kept to '/tmp/sallyport-must-not-be'",
      "copy kept to program 'id'",
      'do $$ begin delete from kept; end $$',
      "select pg_read_file('/etc/passwd')",
      'select * from pg_authid',
      'listen x',
    ],
  },
  mysql: {
    create: 'create table kept (id bigint primary key, name text)',
    insert: 'insert into kept (id, name) values (?, ?)',
    destructive: [
      ...common.destructive,
      'truncate table kept',
      'alter table kept drop column name',
      'drop user nobody',
    ],
    forbidden: [
      ...common.forbidden,
      "set session sql_mode = ''",
      "select * from kept into outfile '/tmp/sallyport-must-not-be'",
      "select load_file('/etc/passwd')",
      'select * from mysql.user',
      'use mysql',
    ],
  },
  sqlite: {
    create: 'create table kept (id integer primary key, name text)',
    insert: 'insert into kept (id, name) values (?, ?)',
    destructive: [...common.destructive, 'alter table kept drop column name'],
    forbidden: [
      ...common.forbidden,
      "attach '/tmp/sallyport-must-not-be' as x",
      "vacuum into '/tmp/sallyport-must-not-be'",
      "select load_extension('x')",
      'pragma journal_mode = delete',
    ],
  },
};

const textOf = ({ content }: ToolResult) => content?.[0]?.text ?? '';

describeWithThreeEngines('writing', three => {
  let readOnly: string;
  let readWrite: string;
  let fullAccess: string;
  beforeAll(async () => {
    readOnly = (await three.mint('--scope', 'read-only')).token;
    readWrite = (await three.mint('--scope', 'read-write')).token;
    fullAccess = (await three.mint('--scope', 'full-access')).token;
    await three.postgres.psql(dialects.postgres.create, 'shop');
    await three.mariadb.client(dialects.mysql.create, { database: 'shop' });
    three.executeOnFile(dialects.sqlite.create);
  }, 60_000);

  const set = async (engine: EngineName, ...words: string[]) => {
    const ran = await three.here(['connections', 'set', connectionNames[engine], ...words]);
    expect(ran).toMatchObject({ code: 0 });
  };
  const rowsOn = async (engine: EngineName) =>
    (await three.query(readOnly, engine, 'select id, name from kept order by id')).structuredContent?.rows;

  describe.each(engineNames)('%s', engine => {
    const { insert, destructive, forbidden } = dialects[engine];

    test('a read-only connection writes for no token, and says so in the agreed words', async () => {
      for (const token of [readWrite, fullAccess]) {
        const result = await three.query(token, engine, insert, { parameters: [1, 'no'] });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toMatch(beginsWith(`denied: ${readOnlySentences.connection.says}`));
      }
      expect(await rowsOn(engine)).toEqual([]);
    });

    test('a read-write connection: the next select sees the insert, exactly; a read-only token still may not', async () => {
      await set(engine, '--external-clients', 'read-write');
      const denied = await three.query(readOnly, engine, insert, { parameters: [1, 'no'] });
      expect(textOf(denied)).toMatch(/^denied: This token may only read\./);
      const written = await three.query(readWrite, engine, insert, { parameters: [bigId, "Zoë's 🎉"] });
      expect(written).toMatchObject({ structuredContent: { rows_affected: 1 } });
      expect(written._meta).toMatchObject({ 'app.sallyport/access': 'read_write' });
      expect(await rowsOn(engine)).toEqual([[bigId, "Zoë's 🎉"]]);
      // Through the bridge too, whose own token may write.
      const args = { connection: connectionNames[engine], sql: `delete from kept where id = ${bigId}` };
      const { result } = await three.home
        .bridge()
        .ask(modern(1, 'tools/call', { name: 'execute_query', arguments: args }));
      expect(result).toMatchObject({ structuredContent: { rows_affected: 1 } });
      expect(await rowsOn(engine)).toEqual([]);
    });

    test('a temporary table is announced to end with its call, and does', async () => {
      const temporary = engine === 'mysql' ? 'CREATE TEMPORARY TABLE' : 'create temp table';
      const made = await three.query(readWrite, engine, `${temporary} passing as select 1 as a`);
      const told = [expect.stringMatching(/^What is temporary is gone when the call ends/)];
      expect(made).toMatchObject({ structuredContent: { warnings: told } });
      expect(textOf(await three.query(readWrite, engine, 'select a from passing'))).toMatch(/^query_failed: /);
    });

    test('a failed write leaves nothing, and the next one works', async () => {
      await three.query(readWrite, engine, insert, { parameters: [1, 'one'] });
      const failed = await three.query(readWrite, engine, "insert into kept values (2, 'two'), (1, 'again')");
      expect(textOf(failed)).toMatch(/^query_failed: /);
      expect(await rowsOn(engine)).toEqual([engine === 'sqlite' ? [1, 'one'] : ['1', 'one']]);
    });

    test.each(destructive)(
      'destructive, and refused, with the right tool’s name for a token that has it: %s',
      async sql => {
        for (const [token, told] of [
          [readWrite, /^denied: .*needs the user's yes, which you can't ask for here\. It waits for them: /s],
          [fullAccess, /^denied: .*confirm_destructive_operation runs it once the user approves\./s],
        ] as const) {
          const result = await three.query(token, engine, sql);
          expect(result.isError).toBe(true);
          expect(textOf(result)).toMatch(told);
        }
        expect(await rowsOn(engine)).toHaveLength(1);
        // A client has few places in the list of what waits.
        for (const { id } of JSON.parse((await three.here(['allow', '--json'])).stdout))
          expect(await three.here(['allow', 'no', id])).toMatchObject({ code: 0 });
      },
    );

    test.each(forbidden)('forbidden: %s', async sql => {
      const result = await three.query(fullAccess, engine, sql);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/^unsupported: /);
    });

    test('write access for two seconds ends by time, and reading continues', async () => {
      await set(engine, '--external-clients', 'read-write', '--for', '2s');
      const bump = "update kept set name = 'bumped' where id = 1";
      expect((await three.query(readWrite, engine, bump)).structuredContent?.rows_affected).toBe(1);
      const listed = await three.call(readWrite, 'list_connections', {});
      expect(listed.text).toContain(`"name":"${connectionNames[engine]}"`);
      // Most of its time.
      await pause(1_800);
      await until(
        async () =>
          textOf(await three.query(readWrite, engine, bump)).startsWith('denied: This connection is read only'),
        'the access ends',
        6,
      );
      expect(await rowsOn(engine)).toHaveLength(1);
      const shown = await three.here(['connections', 'show', connectionNames[engine], '--json']);
      expect(JSON.parse(shown.stdout).externalClients).toMatchObject({ now: 'readOnly' });
    });

    test('a level narrowed between two statements counts for the second', async () => {
      await set(engine, '--external-clients', 'read-write');
      const bump = "update kept set name = 'again' where id = 1";
      expect((await three.query(readWrite, engine, bump)).structuredContent?.rows_affected).toBe(1);
      await set(engine, '--external-clients', 'read-only');
      expect(textOf(await three.query(readWrite, engine, bump))).toMatch(/^denied: /);
    });
  });

  test('confirm_destructive_operation is only for full access', async () => {
    const { json } = await three.call(readWrite, 'confirm_destructive_operation', {
      connection: 'File',
      sql: 'drop table kept',
    });
    expect(json.result?._meta?.['app.sallyport/refusal']).toEqual({ kind: 'tool_out_of_scope', code: -33007 });
  });
});
