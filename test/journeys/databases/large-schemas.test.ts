/**
 * 10,000 tables in 300 schemas (3,000 on MariaDB), and one of 1,500 columns: a model gets a page, a
 * name, an answer that ends.
 */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { connectionNames, describeWithThreeEngines, type EngineName, engineNames } from './three-engines.ts';

const schemas = 300;
/** MariaDB writes files for each, even if the rows are in memory. */
const tables: Readonly<Record<EngineName, number>> = { postgres: 10_000, mysql: 3_000, sqlite: 10_000 };
const schemaOf = (table: number): string => `tenant_${1 + (table % schemas)}`;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
/** MariaDB's tables have at most 1,017 columns with InnoDB. */
const widths: Readonly<Record<EngineName, number>> = { postgres: 1_500, mysql: 1_000, sqlite: 1_500 };
const wide = (columns: number): string =>
  `create table wide (${numbers(1, columns + 1)
    .map(at => `column_${at} int`)
    .join(', ')})`;

interface Listed {
  readonly total: number;
  readonly schemas?: Readonly<Record<string, readonly string[]>>;
  readonly matches?: Readonly<Record<string, string>>;
  readonly next_cursor?: string;
}

describeWithThreeEngines('a large schema', three => {
  let token: string;
  const ask = async (engine: EngineName, tool: string, args: Record<string, unknown>) => {
    const { json, text } = await three.call(token, tool, { connection: connectionNames[engine], ...args });
    expect(json.result?.isError ?? false).toBe(false);
    return { bytes: Buffer.byteLength(text), ...(json.result as { structuredContent: Record<string, unknown> }) };
  };

  beforeAll(async () => {
    await three.postgres.psql(
      `do $$ begin for s in 1..${schemas} loop execute 'create schema tenant_' || s; end loop; end $$`,
      'shop',
    );
    // A transaction keeps a lock on each table that it makes, and the server has room for some
    // thousands.
    for (const from of [0, 2_500, 5_000, 7_500])
      await three.postgres.psql(
        `do $$ begin for i in ${from}..${from + 2_499} loop
           execute format('create table tenant_%s.orders_%s (id int)', 1 + i % ${schemas}, i); end loop; end $$`,
        'shop',
      );
    await three.postgres.psql(wide(widths.postgres), 'shop');
    await three.mariadb.client(
      [
        ...numbers(1, schemas + 1).map(schema => `create database tenant_${schema}`),
        ...numbers(0, tables.mysql).map(at => `create table ${schemaOf(at)}.orders_${at} (id int) engine = memory`),
        `use shop; ${wide(widths.mysql)}`,
      ].join(';\n'),
    );
    three.executeOnFile(
      `begin; ${numbers(0, tables.sqlite)
        .map(at => `create table orders_${at} (id int)`)
        .join('; ')}; ${wide(widths.sqlite)}; commit`,
    );
    await three.here(['connections', 'set', 'Maria', '--databases', 'all']);
    ({ token } = await three.mint());
  }, 120_000);

  describe.each(engineNames)('on %s', engine => {
    test('is listed in pages, each once', async () => {
      const schema = engine === 'sqlite' ? {} : { schema: 'tenant_7' };
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await ask(engine, 'list_tables', cursor === undefined ? schema : { cursor });
        expect(page.bytes).toBeLessThan(60_000);
        const listed = page.structuredContent as unknown as Listed;
        found.push(...Object.values(listed.schemas ?? {}).flat());
        cursor = listed.next_cursor;
      } while (cursor !== undefined);
      const expected = numbers(0, tables[engine]).filter(at => engine === 'sqlite' || schemaOf(at) === 'tenant_7');
      const own = found.filter(line => line.startsWith('orders_')).map(line => /^\w+/.exec(line)?.[0]);
      expect([...own].sort()).toEqual(expected.map(at => `orders_${at}`).sort());
    });

    test('one of its tables is found by its name', async () => {
      const { structuredContent, bytes } = await ask(engine, 'list_tables', { search: 'orders_2876' });
      expect(JSON.stringify(structuredContent)).toContain('orders_2876');
      expect(bytes).toBeLessThan(10_000);
    });

    test('a wide table is described', async () => {
      const { structuredContent, bytes } = await ask(engine, 'describe_table', { tables: ['wide'] });
      expect(JSON.stringify(structuredContent)).toContain(`column_${widths[engine]}`);
      expect(bytes).toBeLessThan(400_000);
    });
  });
});
