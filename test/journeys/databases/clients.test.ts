/**
 * Each kind of client, through the bridge and over HTTP, reads exact values from the three engines
 * of one built daemon.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modern, send } from '../../clients/http/wire.ts';
import { type ConnectedClient, everyClient } from '../clients/every-client.ts';
import {
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
  type ToolResult,
} from './three-engines.ts';

interface EngineCase {
  readonly setUp: string;
  readonly columns: readonly string[];
  readonly row: readonly (string | number | boolean | null)[];
  readonly bound: { readonly sql: string; readonly parameters: readonly (string | number | boolean | null)[] };
  readonly boundRow: readonly (string | number | boolean | null)[];
  /** The numbers 1 to 1,000, each with a text of 500 bytes. */
  readonly manyRows: string;
  readonly wideCell: string;
}

const beyondDoubles = '9007199254740993';
const nasty = `it's "x"; drop table exact; -- é🎉`;

const textOf = ({ content }: ToolResult) => content?.[0]?.text ?? '';

const cases: Readonly<Record<EngineName, EngineCase>> = {
  postgres: {
    setUp: `create table exact (id bigint primary key, price numeric(30,10), at timestamptz, seen timestamp(6), name text, raw bytea, ok boolean, absent text);
      insert into exact values (${beyondDoubles}, 12345678901234567890.0123456789, '2024-07-01 12:00:00.123456+00', '2024-02-29 23:59:59.999999', 'Zoë 日本 🎉', '\\x00ff', true, null)`,
    columns: [
      'id bigint',
      'price numeric(30,10)',
      'at timestamp with time zone',
      'seen timestamp(6) without time zone',
      'name text',
      'raw bytea',
      'ok boolean',
      'absent text',
    ],
    row: [
      beyondDoubles,
      '12345678901234567890.0123456789',
      '2024-07-01 14:00:00.123456+02',
      '2024-02-29 23:59:59.999999',
      'Zoë 日本 🎉',
      '\\x00ff',
      true,
      null,
    ],
    bound: {
      sql: 'select $1::bigint + 1, $2::text, $3::boolean, $4::text',
      parameters: ['9007199254740992', nasty, true, null],
    },
    boundRow: [beyondDoubles, nasty, true, null],
    manyRows: "select n, repeat('x', 500) from generate_series(1, 1000) n order by n",
    wideCell: "select 'before', repeat('é', 100000), 7",
  },
  mysql: {
    setUp: `create table exact (id bigint primary key, big bigint unsigned, price decimal(30,10), at datetime(6), name text, raw varbinary(8), ok tinyint(1), absent text);
      insert into exact values (${beyondDoubles}, 18446744073709551615, 12345678901234567890.0123456789, '2024-02-29 23:59:59.999999', 'Zoë 日本 🎉', x'00ff', true, null)`,
    columns: [
      'id bigint',
      'big bigint unsigned',
      'price decimal(30,10)',
      'at datetime(6)',
      'name text',
      'raw varbinary(8)',
      'ok tinyint(1)',
      'absent text',
    ],
    row: [
      beyondDoubles,
      '18446744073709551615',
      '12345678901234567890.0123456789',
      '2024-02-29 23:59:59.999999',
      'Zoë 日本 🎉',
      '\\x00ff',
      1,
      null,
    ],
    bound: {
      sql: 'select cast(? as unsigned) + 1, concat(?, ?), ?',
      parameters: ['9007199254740992', nasty, '!', null],
    },
    boundRow: [beyondDoubles, `${nasty}!`, null],
    manyRows: "select seq, repeat('x', 500) from seq_1_to_1000 order by seq",
    wideCell: "select 'before', repeat('é', 100000), 7",
  },
  sqlite: {
    setUp: `create table exact (id integer primary key, small integer, price decimal(30,10), at text, name text, raw blob, absent text);
      insert into exact values (${beyondDoubles}, 9007199254740991, 0.5, '2024-02-29 23:59:59.999999', 'Zoë 日本 🎉', x'00ff', null)`,
    columns: ['id INTEGER', 'small INTEGER', 'price decimal(30,10)', 'at TEXT', 'name TEXT', 'raw BLOB', 'absent TEXT'],
    row: [beyondDoubles, 9007199254740991, 0.5, '2024-02-29 23:59:59.999999', 'Zoë 日本 🎉', '\\x00ff', null],
    bound: { sql: 'select cast(? as integer) + 1, ?, ?', parameters: ['9007199254740992', nasty, null] },
    boundRow: [beyondDoubles, nasty, null],
    manyRows: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      select i, printf('%.*c', 500, 'x') from n order by i`,
    wideCell: "select 'before', replace(printf('%.*c', 100000, 'x'), 'x', 'é'), 7",
  },
};

describeWithThreeEngines('three engines, each client', three => {
  let token: string;
  beforeAll(async () => {
    await three.postgres.psql(`${cases.postgres.setUp}; create table second (a int)`, 'shop');
    await three.mariadb.client(`${cases.mysql.setUp}; create table second (a int)`, { database: 'shop' });
    three.executeOnFile(`${cases.sqlite.setUp}; create table second (a)`);
    // One token makes all calls below, on a fast machine within a minute.
    await three.here(['settings', 'set', 'limits.requestsPerMinute', '0']);
    token = (await three.mint('--scope', 'read-only')).token;
  }, 60_000);

  describe.each(Object.keys(everyClient))('%s', kind => {
    let client: ConnectedClient;
    beforeAll(async () => {
      const connected = await everyClient[kind]?.({ home: three.home, url: three.url, token });
      if (connected === undefined) throw new Error(`No such client: ${kind}`);
      client = connected;
    });
    afterAll(() => client.close());

    test('lists the tools and the connections', async () => {
      expect(await client.tools()).toEqual(
        expect.arrayContaining(['list_connections', 'list_tables', 'describe_table', 'execute_query']),
      );
      const { structuredContent } = await client.call('list_connections', {});
      expect(structuredContent?.connections).toMatchObject([
        { name: 'File', engine: 'sqlite', access: 'read_only' },
        { name: 'Maria', engine: 'mysql', access: 'read_only' },
        { name: 'Pg', engine: 'postgres', access: 'read_only' },
      ]);
    });

    test.each(engineNames)('lists, describes and reads exactly: %s', async engine => {
      const connection = connectionNames[engine];
      const listed = await client.call('list_tables', { connection });
      expect(JSON.stringify(listed.structuredContent)).toMatch(/"(?:public|shop|main)":\[[^\]]*"exact"/);
      const described = await client.call('describe_table', { connection, table: 'exact' });
      expect(described.structuredContent?.tables).toMatchObject([{ primary_key: ['id'] }]);

      const read = await client.call('execute_query', { connection, sql: 'select * from exact' });
      const { columns, row } = cases[engine];
      expect(read.structuredContent).toMatchObject({ columns, rows: [row] });
      const members = Object.keys(read.structuredContent ?? {});
      expect(members.filter(member => member !== 'execution_time_ms')).toEqual(['columns', 'rows']);
      // The text holds the same bytes, so no second printing rounds what a model sees.
      expect(read.content?.[0]?.text).toBe(JSON.stringify(read.structuredContent));
      expect(read._meta).toMatchObject({ 'app.sallyport/access': 'read_only' });

      const { bound, boundRow } = cases[engine];
      const answered = await client.call('execute_query', { connection, ...bound });
      expect(answered.structuredContent?.rows).toEqual([boundRow]);
    });
  });

  test.each(engineNames)('the answer to a misspelt name has the nearest: %s', async engine => {
    const said = async (sql: string): Promise<string> => {
      const { isError, content } = await three.query(token, engine, sql);
      expect(isError).toBe(true);
      return content?.[0]?.text ?? '';
    };
    const schema = { postgres: 'public.', mysql: 'shop.', sqlite: '' }[engine];
    const columns = cases[engine].columns.map(title => title.split(' ', 1)[0]).join(', ');
    expect(await said('select * from exakt')).toMatch(/\nDid you mean (\w+\.)?exact\?/);
    expect(await said(`select * from ${schema}exakt`)).toMatch(/Did you mean (\w+\.)?exact\?/);
    expect(await said('select prise from exact')).toContain(`Did you mean price? exact has ${columns}.`);
    expect(await said('select e.prise from exact e')).toContain(`Did you mean price? exact has ${columns}.`);
    // If no name is near, none is suggested.
    expect(await said('select * from zzzzzzzzzz')).not.toContain('Did you mean');
  });

  test.each([
    ['postgres', 'select $1::int + $2::int', [], '`parameters` has 0; give a value for each of $1, $2 and so on.'],
    ['postgres', 'select $1::int + $2::int', [1], '`parameters` has 1; give a value for each of $1, $2 and so on.'],
    ['mysql', 'select id + ? from exact where id = ?', [], '`parameters` has 0; give a value for each ?.'],
    ['mysql', 'select id + ? from exact where id = ?', [1], '`parameters` has 1; give a value for each ?.'],
    [
      'sqlite',
      'select id + ? from exact where id = ?',
      [1],
      'The statement takes 2 parameters, and 1 value came with it.',
    ],
  ] as const)('%s: a missing parameter is told in our words: %s with %j', async (engine, sql, parameters, said) => {
    expect(textOf(await three.query(token, engine, sql, { parameters }))).toContain(said);
  });

  test.each([
    ['postgres', 'select count(*) from exact where name = ? and ok', 'write $1, $2 and so on for them.'],
    ['postgres', 'select count(*) from exact where name = :name', 'write $1, $2 and so on for them.'],
    ['mysql', 'select count(*) from exact where name = $1', 'write ? for each, in their order.'],
    ['mysql', 'select count(*) from exact where name = :name', 'write ? for each, in their order.'],
  ] as const)('%s: the answer to another engine’s parameter sign has its own: %s', async (engine, sql, advice) => {
    const told = `The statement uses none of its \`parameters\`; ${advice}`;
    const withValue = await three.query(token, engine, sql, { parameters: [nasty] });
    expect(textOf(withValue)).toMatch(/^(?:query_failed|unsupported): /);
    expect(textOf(withValue).endsWith(` ${told}`)).toBe(true);
    expect(textOf(await three.query(token, engine, sql))).not.toContain('parameters');
    const own = `select nope from exact where name = ${engine === 'postgres' ? '$1' : '?'}`;
    expect(textOf(await three.query(token, engine, own, { parameters: [nasty] }))).not.toContain('parameters');
  });

  test('lists and objects are parameters of PostgreSQL', async () => {
    const sql =
      "select $1::int[] = '{1,2}', $2::jsonb->>'a', $3::jsonb->>1, 'b' = any($4), $5::text is null, $6::text = '', $7 + 1";
    const parameters = [[1, 2], { a: 'x' }, [1, 'y'], ['a', 'b'], null, '', '5'];
    const asked = (given: unknown) => three.query(token, 'postgres', sql, { parameters: given });
    const rows = [[true, 'x', 'y', true, true, true, 6]];
    expect((await asked(parameters)).structuredContent).toMatchObject({ rows });
    expect((await asked(JSON.stringify(parameters))).structuredContent).toMatchObject({ rows });
    const untold = await three.query(token, 'postgres', 'select jsonb_array_length($1)', { parameters: [[1, 2]] });
    expect(textOf(untold)).toMatch(/^query_failed: .*json[\s\S]*write \$1::jsonb/);
  });

  test.each(['mysql', 'sqlite'] as const)('lists and objects aren’t parameters of %s', async engine => {
    for (const [value, at] of [
      [[1], 0],
      [{ a: 1 }, 1],
    ] as const) {
      const parameters = at === 0 ? [value] : ['x', value];
      const sql = `select ${parameters.map(() => '?').join(', ')}`;
      expect(textOf(await three.query(token, engine, sql, { parameters }))).toMatch(
        new RegExp(`^invalid_argument: 'parameters\\.${at}' must be text, a number`),
      );
    }
  });

  test.each(engineNames)('binary as it is shown works as a parameter: %s', async engine => {
    const look = async (value: string, bound: string) => {
      const sql = `select count(*) from exact where raw = ${bound}`;
      const { structuredContent } = await three.query(token, engine, sql, { parameters: [value] });
      const { rows, warnings } = (structuredContent ?? {}) as { rows: unknown[][]; warnings?: string[] };
      return [Number(rows[0]?.[0]), warnings];
    };
    if (engine === 'postgres') return expect(await look('\\x00ff', '$1')).toEqual([1, undefined]);
    expect(await look('\\x00ff', '?')).toEqual([0, [expect.stringMatching(/digits alone, and write UNHEX\(\?\)\.$/)]]);
    expect(await look('00ff', 'unhex(?)')).toEqual([1, undefined]);
  });

  test('a message that quotes a cell of 30 KB is shown by its beginning and its end', async () => {
    const asked = await three.query(token, 'postgres', "select cast(repeat('é', 15000) || '!' as integer)");
    expect(textOf(asked)).toMatch(
      /^query_failed: invalid input syntax for type integer: "é{1000,} \[…\d+ characters left out…\] é+!" \(22P02\)$/,
    );
    expect(textOf(asked).length).toBeLessThan(5_000);
  });

  test('a table of another schema is found by its bare name, even if the schema is misspelt', async () => {
    await three.postgres.psql('create schema billing; create table billing.inv_hdr (id int)', 'shop');
    for (const sql of ['select * from inv_hdr', 'select * from biling.inv_hdr', 'select * from billing.inv_hdrs']) {
      const { content } = await three.query(token, 'postgres', sql);
      expect(content?.[0]?.text).toContain('Did you mean billing.inv_hdr?');
    }
    await three.postgres.psql('drop schema billing cascade', 'shop');
  });

  test('the database sees who asks, whatever the client calls itself', async () => {
    const names = {
      postgres: 'show application_name',
      mysql: `select attr_value from performance_schema.session_account_connect_attrs
        where attr_name = 'program_name' and processlist_id = connection_id()`,
    };
    for (const engine of ['postgres', 'mysql'] as const) {
      for (const kind of Object.keys(everyClient)) {
        const client = await everyClient[kind]?.({ home: three.home, url: three.url, token });
        const args = { connection: connectionNames[engine], sql: names[engine] };
        const answered = await client?.call('execute_query', args);
        await client?.close();
        expect({ kind, rows: answered?.structuredContent?.rows }).toEqual({ kind, rows: [['Sallyport: journey']] });
      }
      const nasty = `évil\n\u202e\0'; drop table exact; -- ${'x'.repeat(5_000)}`;
      const meta = { 'io.modelcontextprotocol/clientInfo': { name: nasty, version: '1' } };
      const args = { connection: connectionNames[engine], sql: names[engine] };
      const call = { name: 'execute_query', arguments: args };
      const { json } = await send(three.url, modern(token, 'tools/call', call, { meta }));
      const rows = json.result?.structuredContent?.rows as string[][] | undefined;
      const name = rows?.[0]?.[0] ?? '';
      expect(name).toMatch(/^Sallyport: .{1,2}vil/);
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(80);
    }
  }, 60_000);

  test('characters that would end a cell of Markdown are escaped', async () => {
    const sql = "select 'a|b' || char(92) || char(13, 10) || 'c' as x";
    const markdown = await three.query(token, 'sqlite', sql, { format: 'markdown' });
    expect(markdown.content?.[0]?.text.split('\n\n')[1]).toBe('| x |\n| --- |\n| a\\|b\\\\<br>c |\n');
  });

  describe.each(engineNames)('%s', engine => {
    test('CSV and Markdown are the text; the structure is complete beside them', async () => {
      const sql = 'select id, name, absent from exact';
      const csv = await three.query(token, engine, sql, { format: 'csv' });
      const [head = '', table] = csv.content?.[0]?.text.split('\n\n') ?? [];
      expect(table).toBe(`id,name,absent\r\n${beyondDoubles},Zoë 日本 🎉,\r\n`);
      expect(head).toBe('{"row_count":1}');
      expect(csv.structuredContent).toMatchObject({ row_count: 1, rows: [[beyondDoubles, 'Zoë 日本 🎉', null]] });
      const markdown = await three.query(token, engine, sql, { format: 'markdown' });
      expect(markdown.content?.[0]?.text.split('\n\n')[1]).toBe(
        `| id | name | absent |\n| --- | --- | --- |\n| ${beyondDoubles} | Zoë 日本 🎉 | NULL |\n`,
      );
    });

    test('a missing schema or database is reported as missing, not the server as unreachable', async () => {
      const connection = connectionNames[engine];
      for (const where of [{ schema: 'absent' }, { database: 'absent' }]) {
        for (const result of [
          await three.query(token, engine, 'select 1', where),
          (await three.call(token, 'describe_table', { connection, table: 'exact', ...where })).json.result,
        ]) {
          expect(result?.isError).toBe(true);
          expect(result?.content?.[0]?.text).toMatch(/^(query_failed|unsupported): .*(absent|database|no table)/);
        }
      }
    });

    test('the list of tables in pages: each once, only with its own cursor', async () => {
      const connection = connectionNames[engine];
      const names: string[] = [];
      let cursor: Record<string, unknown> = {};
      for (let pages = 0; pages < 10; pages++) {
        const { json } = await three.call(token, 'list_tables', { connection, limit: 1, ...cursor });
        const page = json.result?.structuredContent as {
          total: number;
          schemas: Record<string, string[]>;
          next_cursor?: string;
        };
        const listed = Object.values(page.schemas).flat();
        expect(listed).toHaveLength(1);
        expect(page.total).toBe(engine === 'sqlite' ? 3 : 2);
        names.push(...listed);
        if (page.next_cursor === undefined) break;
        cursor = { cursor: page.next_cursor };
      }
      expect(names.toSorted()).toEqual(['exact', 'second', ...(engine === 'sqlite' ? ['first'] : [])].toSorted());
      for (const wrong of [{ cursor: 'x' }, { ...cursor, search: 'e' }]) {
        const refused = await three.call(token, 'list_tables', { connection, limit: 1, ...wrong });
        expect(refused.json.result?.isError).toBe(true);
        expect(refused.json.result?.content?.[0]?.text).toMatch(/This cursor is not one that Sallyport gave/);
      }
    });

    test('columns of one name, results without rows, and plans', async () => {
      const twice = await three.query(token, engine, 'select 1 as a, 2 as a');
      expect(twice.structuredContent).toMatchObject({
        columns: [expect.stringMatching(/^a( |$)/), expect.stringMatching(/^a( |$)/)],
        rows: [[1, 2]],
      });
      const none = await three.query(token, engine, 'select id, name from exact where 1 = 0');
      expect(none.structuredContent).toMatchObject({
        columns: [expect.stringMatching(/^id /), expect.stringMatching(/^name /)],
        rows: [],
      });
      const plan = await three.query(token, engine, 'explain select * from exact');
      expect(plan.structuredContent?.rows?.length).toBeGreaterThan(0);
      if (engine !== 'sqlite') return;
      for (const sql of ['explain query plan select * from exact', 'pragma table_info(exact)', 'pragma user_version']) {
        expect((await three.query(token, engine, sql)).structuredContent?.rows?.length).toBeGreaterThan(0);
      }
    });

    test('truncated by rows', async () => {
      const { structuredContent } = await three.query(token, engine, cases[engine].manyRows, { max_rows: 3 });
      expect(structuredContent).toMatchObject({ rows: { length: 3 }, truncated: true });
      expect(structuredContent?.truncated_because).toContain('max_rows');
      expect(structuredContent?.next_cursor).toBeUndefined();
      const byDefault = await three.query(token, engine, cases[engine].manyRows, { max_bytes: 1_000_000_000 });
      expect(byDefault.content?.[0]?.text).toMatch(/^invalid_argument/);
      const more = await three.query(token, engine, cases[engine].manyRows, { max_bytes: 8 * 1024 * 1024 });
      expect(more.structuredContent).toMatchObject({ row_count: 500, truncated: true });
      const whole = await three.query(token, engine, 'select 1', { max_rows: 1 });
      expect(whole.structuredContent).toMatchObject({ rows: [[1]] });
      expect(whole.structuredContent).not.toHaveProperty('truncated');
    });

    test('truncated by bytes, at a row, and reported before the rows', async () => {
      const limits: readonly [Record<string, unknown>, number][] = [
        [{}, 8 * 1024],
        [{ format: 'csv' }, 8 * 1024],
        [{ format: 'markdown' }, 8 * 1024],
        [{ max_bytes: 24 * 1024 }, 24 * 1024],
        [{ max_bytes: 100_000 }, 100_000],
        [{ max_bytes: 8 * 1024 * 1024 }, 256 * 1024],
      ];
      for (const [asked, bytes] of limits) {
        const answered = await three.query(token, engine, cases[engine].manyRows, { max_rows: 1_000, ...asked });
        const { structuredContent, content } = answered;
        const text = content?.[0]?.text ?? '';
        const rows = structuredContent?.rows ?? [];
        expect(structuredContent).toMatchObject({ truncated: true, row_count: rows.length });
        expect(structuredContent?.truncated_because).toMatch(
          bytes === 256 * 1024
            ? /of the 1000 that were read fit into the most that an answer may have\. fetch_rows/
            : bytes === 8 * 1024
              ? /of the 1000 that were read are shown, as not all fit into one answer\. fetch_rows/
              : /of the 1000 that were read fit into max_bytes\. fetch_rows/,
        );
        expect(text).toMatch(/^\{"row_count":\d+,"truncated":true,"truncated_because":"[^"]+","next_cursor":"[^"]+"/);
        expect(rows.every(row => String(row[1]).length === 500)).toBe(true);
        const larger = Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(structuredContent)));
        expect(larger).toBeLessThanOrEqual(bytes);
        expect(larger).toBeGreaterThan(bytes - 1_200);
      }
    });

    test('fetch_rows continues after the cut, to the last row that was read', async () => {
      for (const format of ['rows', 'csv'] as const) {
        const first = await three.query(token, engine, cases[engine].manyRows, { max_rows: 990, format });
        const numbers = (first.structuredContent?.rows ?? []).map(row => Number(row[0]));
        const few = { cursor: first.structuredContent?.next_cursor, max_rows: 2 };
        expect((await three.call(token, 'fetch_rows', few)).json.result?.structuredContent).toMatchObject({
          rows: { length: 2 },
          truncated_because: expect.stringMatching(/of the 990 that were read came within max_rows\. fetch_rows/),
        });
        let page = first.structuredContent ?? {};
        for (let pages = 0; page.next_cursor !== undefined && pages < 100; pages += 1) {
          const { json } = await three.call(token, 'fetch_rows', { cursor: page.next_cursor, max_bytes: 64 * 1024 });
          const next = json.result as ToolResult;
          page = next.structuredContent ?? {};
          numbers.push(...(page.rows as number[][]).map(([number]) => Number(number)));
          expect(next._meta).toMatchObject({ 'app.sallyport/access': 'read_only' });
          if (format === 'csv') expect(next.content?.[0]?.text).toMatch(/^\{"row_count":\d+,.*\}\n\n\w+,.*\r\n\d+,xxx/);
        }
        expect(numbers).toEqual(Array.from({ length: 990 }, (_, index) => index + 1));
        expect(page).toMatchObject({ truncated: true, truncated_because: expect.stringContaining('max_rows') });
      }
    });

    test('an answer that hits a limit is short if the call names none, and no result takes one call more', async () => {
      const callsFor = async (rows: number): Promise<readonly number[]> => {
        let page =
          (await three.query(token, engine, cases[engine].manyRows, { max_rows: rows })).structuredContent ?? {};
        const lengths = [page.rows?.length ?? 0];
        while (page.next_cursor !== undefined) {
          const { json } = await three.call(token, 'fetch_rows', { cursor: page.next_cursor });
          page = (json.result as ToolResult).structuredContent ?? {};
          lengths.push(page.rows?.length ?? 0);
        }
        expect(lengths.reduce((sum, length) => sum + length)).toBe(rows);
        return lengths;
      };
      // Rows of some 510 bytes: 46 fit into 24 KiB.
      expect(await callsFor(40)).toEqual([40]);
      for (const rows of [60, 90, 130, 180]) {
        const lengths = await callsFor(rows);
        expect(lengths[0]).toBeLessThan(17);
        expect(lengths).toHaveLength(Math.ceil(rows / 46));
      }
      const byRows = (await three.query(token, engine, cases[engine].manyRows)).structuredContent ?? {};
      expect(byRows.rows?.length).toBeLessThan(17);
      expect(byRows.next_cursor).toBeDefined();
    });

    test('a cell is whole if it fits, else cut with its full length, and its neighbours are whole', async () => {
      const { structuredContent } = await three.query(token, engine, cases[engine].wideCell);
      const [row = []] = structuredContent?.rows ?? [];
      expect([row[0], row[2]]).toEqual(['before', 7]);
      expect(row[1]).toBe('é'.repeat(2 * 1024));
      expect(structuredContent?.cut_cells).toEqual([{ row: 0, column: 1, full_bytes: 200_000 }]);
      const wide = await three.query(token, engine, cases[engine].wideCell, { max_bytes: 100_000 });
      expect(wide.structuredContent?.rows).toEqual([['before', 'é'.repeat(32 * 1024), 7]]);
      expect(wide.structuredContent?.cut_cells).toEqual([{ row: 0, column: 1, full_bytes: 200_000 }]);
    });
  });

  test('the rows of a cursor are private, and gone with the token and a change of the connection', async () => {
    const mine = await three.mint('--scope', 'read-only');
    const cursors: Record<string, unknown> = {};
    const gone = /^invalid_argument: This cursor has expired; run the query again/;
    const fetched = async (bearer: string, cursor: unknown) =>
      (await three.call(bearer, 'fetch_rows', { cursor })).json.result as ToolResult;
    for (const engine of engineNames) {
      cursors[engine] = (await three.query(mine.token, engine, cases[engine].manyRows)).structuredContent?.next_cursor;
      expect((await fetched(mine.token, cursors[engine])).structuredContent?.row_count).toBeGreaterThan(10);
      // A second time too, since the answer may have been lost.
      expect((await fetched(mine.token, cursors[engine])).structuredContent?.row_count).toBeGreaterThan(10);
      expect((await fetched(token, cursors[engine])).content?.[0]?.text).toMatch(gone);
    }
    for (const wrong of ['x', `${cursors.postgres}z`, '.', `${'a'.repeat(24)}.1`])
      expect((await fetched(mine.token, wrong)).content?.[0]?.text).toMatch(gone);

    const changed = await three.here(['connections', 'set', connectionNames.sqlite, '--row-limit', '400']);
    expect(changed).toMatchObject({ code: 0 });
    expect((await fetched(mine.token, cursors.sqlite)).content?.[0]?.text).toMatch(gone);
    expect((await fetched(mine.token, cursors.mysql)).isError).toBeUndefined();

    const { code } = await three.here(['tokens', 'revoke', mine.id]);
    expect(code).toBe(0);
    expect((await three.call(mine.token, 'fetch_rows', { cursor: cursors.mysql })).status).toBe(401);
  }, 60_000);
});
