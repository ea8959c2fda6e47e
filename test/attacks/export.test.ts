/**
 * `export_data` on the running daemon and the three engines: it writes exact files where they
 * belong, and writes, keeps or overwrites nothing else, whatever a client names, sends or does
 * meanwhile.
 */

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { qualifiedName } from '../../daemon/engines/object-name.ts';
import { modern } from '../clients/http/wire.ts';
import { dialects } from '../engines/dialects.ts';
import { clientKinds, connectClient } from '../journeys/approvals/gate.ts';
import { everyClient } from '../journeys/clients/every-client.ts';
import {
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
  forgetPeak,
  memoryOf,
  type ToolResult,
} from '../journeys/databases/three-engines.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { until } from '../waiting/until.ts';

const manyRows: Readonly<Record<EngineName, string>> = {
  postgres: "select n, repeat('x', 1000) as text from (select generate_series(1, COUNT) as n) s",
  mysql: "select seq as n, repeat('x', 1000) as text from seq_1_to_COUNT",
  sqlite: `with recursive s(n) as (select 1 union all select n + 1 from s where n < COUNT)
    select n, printf('%.*c', 1000, 'x') as text from s`,
};
const rowsOf = (engine: EngineName, count: number) => manyRows[engine].replace('COUNT', String(count));
const endless = 100_000_000;

describeWithThreeEngines(
  'export_data',
  three => {
    let token: string;
    let downloads: string;
    beforeAll(async () => {
      token = (await three.mint('--scope', 'read-only')).token;
      downloads = join(three.home.folder, 'Downloads');
      await three.postgres.psql(
        `create schema billing; create table billing.inv_hdr (id bigint, note text);
      insert into billing.inv_hdr values (9007199254740993, 'a,"b"'), (2, null), (3, '');
      create table billing."Odd. ☃" as select 7 as "7"`,
        'shop',
      );
      await three.mariadb.client(
        `create table inv_hdr (id bigint, note text);
      insert into inv_hdr values (9007199254740993, 'a,"b"'), (2, null), (3, '');
      create table \`Odd. ☃\` as select 7 as \`7\``,
        { database: 'shop' },
      );
      three.executeOnFile(`create table inv_hdr (id integer, note text);
      insert into inv_hdr values (9007199254740993, 'a,"b"'), (2, null), (3, '');
      create table "Odd. ☃" as select 7 as "7"`);
    }, 60_000);

    const files = (): string[] => (existsSync(downloads) ? readdirSync(downloads).toSorted() : []);
    const exported = async (args: Record<string, unknown>, bearer = token): Promise<ToolResult> => {
      const { json } = await three.call(bearer, 'export_data', { format: 'csv', ...args });
      return (json.result ?? { isError: true, content: [{ text: `${json.error?.code}` }] }) as ToolResult;
    };
    const said = ({ content }: ToolResult): string => content?.[0]?.text ?? '';

    test.each(clientKinds)('%s over HTTP hears its progress, which only grows', async kind => {
      const client = await connectClient(kind, three.url, token, null);
      const heard: { readonly progress: number; readonly message?: string | undefined }[] = [];
      try {
        const sql =
          'select case when pg_sleep(0.01) is null then 0 else n end as n from generate_series(1, 300) as s(n)';
        const args = { connection: connectionNames.postgres, sql, format: 'csv', file_name: 'told' };
        const ended = await client.call('export_data', args, { onprogress: said => void heard.push(said) });
        expect(ended.structured).toMatchObject({ rows: 300 });
      } finally {
        await client.close();
      }
      expect(heard.length).toBeGreaterThanOrEqual(2);
      for (const [at, { progress, message }] of heard.entries()) {
        expect(progress).toBeGreaterThan(heard[at - 1]?.progress ?? 0);
        expect(message).toMatch(/^\d+ rows, \d+ bytes so far$/);
      }
    });

    describe.each(engineNames)('%s', engine => {
      const connection = connectionNames[engine];
      const table = engine === 'postgres' ? 'billing.inv_hdr' : 'inv_hdr';

      test('a table in three formats: exact, and the first rows are shown', async () => {
        const texts = {
          csv: 'id,note\r\n9007199254740993,"a,""b"""\r\n2,\r\n3,""\r\n',
          ndjson: '{"id":"9007199254740993","note":"a,\\"b\\""}\n{"id":2,"note":null}\n{"id":3,"note":""}\n',
          json: '[\n{"id":"9007199254740993","note":"a,\\"b\\""},\n{"id":2,"note":null},\n{"id":3,"note":""}\n]\n',
        };
        for (const [format, text] of Object.entries(texts)) {
          const result = await exported({ connection, table, format, file_name: `${engine}-table` });
          // PostgreSQL and MySQL give bigint as a string in every row.
          const expected = engine === 'sqlite' ? text : text.replace(/"id":(\d+)/g, '"id":"$1"');
          const path = join(downloads, `${engine}-table.${format}`);
          expect(result.structuredContent).toEqual({
            path,
            rows: 3,
            bytes: Buffer.byteLength(expected),
            first_lines: expected.split('\n').slice(0, 3).join('\n').concat('\n'),
          });
          expect(result._meta).toMatchObject({ 'app.sallyport/connection': { name: connection } });
          expect(readFileSync(path, 'utf8')).toBe(expected);
          expect(lstatSync(path).mode & 0o777).toBe(0o600);
        }
      });

      test('a whole table has its invisible columns too', async () => {
        if (engine !== 'mysql') return;
        await three.mariadb.client(
          'create table veiled (id int, secret int default 7 invisible); insert into veiled (id) values (1)',
          { database: 'shop' },
        );
        const result = await exported({ connection, table: 'veiled', file_name: 'veiled' });
        expect(result.structuredContent).toMatchObject({ rows: 1, first_lines: 'id,secret\r\n1,7\r\n' });
      });

      test('a table by its name from list_tables, and suggestions for a wrong name', async () => {
        const odd = qualifiedName(dialects[engine], engine === 'postgres' ? 'billing' : null, 'Odd. ☃');
        const result = await exported({ connection, table: odd, file_name: `${engine}-odd` });
        expect(result.structuredContent).toMatchObject({ rows: 1, first_lines: '7\r\n7\r\n' });
        for (const args of [{ table: `${table}x` }, { sql: `select * from ${table}x` }])
          expect(said(await exported({ connection, ...args }))).toMatch(
            /^query_failed: .*\n?.*Did you mean .*inv_hdr/s,
          );
      });

      test('many rows, with little memory; a second file beside the first', async () => {
        const args = { connection, sql: rowsOf(engine, 100_000), file_name: `${engine}-many.csv` };
        forgetPeak(three.daemonPid);
        const before = memoryOf(three.daemonPid).now;
        const { structuredContent } = await exported(args);
        expect(memoryOf(three.daemonPid).peak - before).toBeLessThan(100);
        expect(structuredContent).toMatchObject({ rows: 100_000, path: join(downloads, `${engine}-many.csv`) });
        const lines = readFileSync(String(structuredContent?.path), 'utf8').split('\r\n');
        expect(lines).toHaveLength(100_002);
        expect(
          lines.every((line, index) => index === 0 || line === '' || line === `${index},${'x'.repeat(1000)}`),
        ).toBe(true);
        expect(Buffer.byteLength(String(structuredContent?.first_lines))).toBeLessThanOrEqual(3 * 210);
        const again = await exported({ ...args, sql: 'select 1 as one' });
        expect(again.structuredContent?.path).toBe(join(downloads, `${engine}-many-2.csv`));
      }, 60_000);

      test('a client that leaves during an export leaves no file, and the statement stops', async () => {
        const name = `${engine}-left`;
        const args = { connection, sql: rowsOf(engine, endless), format: 'ndjson', file_name: name };
        const { headers, body } = modern(token, 'tools/call', { name: 'export_data', arguments: args });
        const sent = request(three.url, { method: 'POST', headers, agent: false });
        sent.on('error', () => {});
        sent.end(body);
        await until(() => files().includes(`${name}.ndjson.part`), 'the file is there', 10);
        sent.destroy();
        await until(() => !files().includes(`${name}.ndjson.part`), 'the file is gone', 10);
        await until(async () => (await three.running(engine)).length === 0, 'nothing runs', 10);
      }, 60_000);

      test('a token revoked during an export leaves no file', async () => {
        const other = await three.mint('--scope', 'read-only');
        const name = `${engine}-revoked`;
        const running = exported({ connection, sql: rowsOf(engine, endless), file_name: name }, other.token);
        await until(() => files().includes(`${name}.csv.part`), 'the file is there', 10);
        expect((await three.run(['tokens', 'revoke', other.id])).code).toBe(0);
        expect((await running).isError).toBe(true);
        await until(() => !files().includes(`${name}.csv.part`), 'the file is gone', 10);
      }, 60_000);

      test('a value that is too long to be stored whole ends it without a file', async () => {
        const wide = {
          postgres: "repeat('y', 100000)",
          mysql: "repeat('y', 100000)",
          sqlite: "printf('%.*c', 100000, 'y')",
        };
        const sql = `select 1 as id, 'short' as wide union all select 2, ${wide[engine]}`;
        const result = await exported({ connection, sql, file_name: `${engine}-wide` });
        expect(said(result)).toMatch(
          /^unsupported: The value of "wide" in row 2, 100000 bytes, .*The file was removed\.$/,
        );
        expect(files().filter(file => file.startsWith(`${engine}-wide`))).toEqual([]);
      });

      test('only a read, on a visible connection, leaves a file', async () => {
        const before = files();
        const refusals: readonly [Record<string, unknown>, RegExp][] = [
          [{ connection, sql: 'delete from first' }, /^denied: .*export_data only reads/],
          [{ connection, sql: 'drop table first' }, /^denied: /],
          [{ connection, sql: 'select 1; select 2' }, /^unsupported: /],
          [{ connection, sql: 'select * from absent' }, /^query_failed: /],
          [{ connection, table: 'x"; drop table first; --' }, /^query_failed: /],
          [{ connection: 'hidden', sql: 'select 1' }, /^-33007$/],
          [{ connection }, /^invalid_argument: /],
          [{ connection, sql: 'select 1', table: 'first' }, /^invalid_argument: /],
        ];
        for (const [args, refusal] of refusals) expect(said(await exported(args))).toMatch(refusal);
        const writer = await three.mint('--scope', 'full-access');
        expect(said(await exported({ connection, sql: 'delete from first' }, writer.token))).toMatch(/^denied: /);
        expect(files()).toEqual(before);
      });
    });

    test.each([
      '../escaped',
      '/etc/escaped',
      '.hidden',
      '..',
      '-rf',
      'a/b',
      'a\\b',
      'nul\0',
      'line\nbreak',
      'é',
      ' ',
      '~',
      'x'.repeat(101),
    ])('a name is only a file name: %j', async file_name => {
      const before = files();
      const result = await exported({ connection: 'File', sql: 'select 1', file_name });
      expect(said(result)).toMatch(
        /^invalid_argument: 'file_name' must be a name of 1 to 100 of A-Z, a-z, 0-9, \., _ and -, the first a letter or digit; it was /,
      );
      expect(files()).toEqual(before);
      for (const place of [three.home.folder, join(three.home.folder, '..'), '/etc'])
        expect(readdirSync(place).filter(name => name.startsWith('escaped'))).toEqual([]);
    });

    test('our extension is last, whatever a name claims', async () => {
      for (const [file_name, expected] of [
        ['setup.desktop', 'setup.desktop.csv'],
        ['a.CSV', 'a.csv'],
        ['b.csv.csv', 'b.csv.csv'],
      ] as const) {
        const { structuredContent } = await exported({ connection: 'File', sql: 'select 1', file_name });
        expect(structuredContent?.path).toBe(join(downloads, expected));
      }
    });

    test('an existing file or link stays unchanged', async () => {
      mkdirSync(downloads, { recursive: true });
      const precious = join(three.home.folder, 'precious');
      writeFileSync(precious, 'precious');
      symlinkSync(precious, join(downloads, 'linked.csv'));
      const { structuredContent } = await exported({ connection: 'File', sql: 'select 1', file_name: 'linked' });
      expect(structuredContent?.path).toBe(join(downloads, 'linked-2.csv'));
      expect(readFileSync(precious, 'utf8')).toBe('precious');
    });

    test('texts that a spreadsheet would run are reported, and stay unchanged', async () => {
      const sql = `select '=cmd|x' as a, '-12.50' as b, '+49 30' as c, 'plain' as d`;
      const { structuredContent } = await exported({ connection: 'File', sql, file_name: 'formulas' });
      expect(structuredContent?.warnings).toEqual([expect.stringMatching(/^2 texts begin with/)]);
      expect(structuredContent?.first_lines).toBe('a,b,c,d\r\n=cmd|x,-12.50,+49 30,plain\r\n');
    });

    test('one row in the activity log, with its rows', async () => {
      const rows = async (): Promise<readonly Record<string, unknown>[]> => {
        const { stdout } = await three.run(['activity', '--json']);
        const entries = Object.values(JSON.parse(stdout)).flat() as Record<string, unknown>[];
        return entries.filter(
          ({ action, outcome, rows: count }) => `${action} ${outcome} ${count}` === 'export_data success 1',
        );
      };
      const before = (await rows()).length;
      const sql = 'select count(*) as n from inv_hdr';
      await exported({ connection: 'File', sql, file_name: 'logged' });
      expect(await rows()).toHaveLength(before + 1);
    });

    describe.each(Object.keys(everyClient))('%s', kind => {
      test('gets the file, over the bridge as over HTTP', async () => {
        const client = await everyClient[kind]?.({ home: three.home, url: three.url, token });
        const answered = await client?.call('export_data', { connection: 'File', table: 'inv_hdr', format: 'json' });
        await client?.close();
        expect(answered?.structuredContent).toMatchObject({ rows: 3 });
        expect(readFileSync(String(answered?.structuredContent?.path), 'utf8')).toMatch(/^\[\n\{"id"/);
      });
    });

    test('while the activity log cannot be written, an export says so', async () => {
      const store = new SqliteFile(join(three.home.home, 'sallyport.db'), { timeout: 5_000 });
      store.exec("create trigger no_rows before insert on activity begin select raise(abort, 'no room'); end");
      const unrecorded = async () =>
        JSON.stringify((await exported({ connection: 'File', table: 'inv_hdr' })).structuredContent?.warnings);
      await until(async () => (await unrecorded())?.includes("The activity log can't be written"), 'it says so', 10);
      store.exec('drop trigger no_rows');
      store.close();
    });

    test('a daemon that stops during an export leaves no file', async () => {
      const running = exported({ connection: 'File', sql: rowsOf('sqlite', endless), file_name: 'stopped' }).catch(
        String,
      );
      await until(() => files().includes('stopped.csv.part'), 'the file is there', 10);
      await three.home.end('SIGTERM');
      await running;
      expect(files().filter(file => file.startsWith('stopped'))).toEqual([]);
    }, 60_000);

    afterAll(() => {
      if (downloads !== undefined) expect(files().filter(file => /left|revoked|wide/.test(file))).toEqual([]);
    });
  },
  { exports: 'at home' },
);
