/**
 * Threat: a database has names, declared types or comments as long as books, or thousands of them.
 * They fill a model's context, or keep the daemon busy while others wait.
 */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { modern, send } from '../clients/http/wire.ts';
import { connectionNames, describeWithThreeEngines, type EngineName } from '../journeys/databases/three-engines.ts';

/** results.maxBytes. An answer holds the text twice, once with its quotes escaped. */
const mostBytes = 256 * 1024;
const long = 'n'.repeat(900_000);
const times = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));
const databases = 600;

describeWithThreeEngines('names as long as books, and thousands of them', three => {
  let token: string;

  async function answerOf(tool: string, engine: EngineName, args: Record<string, unknown>) {
    const { json } = await three.call(token, tool, { connection: connectionNames[engine], ...args });
    const { content, structuredContent = {} } = json.result as unknown as {
      content: readonly { readonly text: string }[];
      structuredContent?: Record<string, unknown>;
    };
    const text = String(content[0]?.text);
    const bytes = Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(structuredContent)));
    return { text, structuredContent, bytes };
  }

  beforeAll(async () => {
    await three.postgres.psql(
      `create table commented (${times(1_500, at => `column_${at} int`).join(', ')});
      ${times(1_500, at => `comment on column commented.column_${at} is 'needle ${'y'.repeat(2_000)}'`).join(';')};
      create table parent (id int primary key);
      ${times(100, at => `create table child_${at} (p int references parent on delete cascade); insert into parent values (${at}); insert into child_${at} values (${at})`).join(';')}`,
      'shop',
    );
    await three.mariadb.client(times(databases, at => `create database \`${`d${at}_`.padEnd(64, 'é')}\``).join(';'));
    await three.here(['connections', 'set', 'Maria', '--databases', 'all']);
    for (const sql of [
      `create table "${long}" (a integer primary key); insert into "${long}" values (1)`,
      `create table one_name (id integer primary key, "${long}" int)`,
      `create table one_type (id integer primary key, a ${long})`,
      `create table types (${times(1_900, at => `c${at} ${'v'.repeat(400)}`).join(',')}, id integer primary key)`,
      `create table names (${times(1_900, at => `"${`c${at}_`.padEnd(400, 'é')}" text`).join(',')}, id integer primary key)`,
      `insert into names (id, ${times(1_900, at => `"${`c${at}_`.padEnd(400, 'é')}"`).join(',')})
       values (1, ${times(1_900, () => `'${'w'.repeat(300)}'`).join(',')})`,
    ])
      three.executeOnFile(sql);
    for (const name of Object.values(connectionNames))
      await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
    ({ token } = await three.mint('--scope', 'read-write'));
  }, 120_000);

  describe.each(['one_name', 'one_type', 'types', 'names'])('SQLite: columns of %s', table => {
    test.each(['rows', 'csv', 'markdown'])('as %s', async format => {
      const { bytes, text } = await answerOf('execute_query', 'sqlite', { sql: `select * from ${table}`, format });
      expect(bytes).toBeLessThanOrEqual(mostBytes);
      expect(text).toContain(table === 'types' || table === 'names' ? 'c1899' : 'id');
    });

    test('in a preview, and described', async () => {
      for (const sql of [
        `insert into ${table} (id) values (7) returning *`,
        `update ${table} set id = 9 where id = 1`,
        `update ${table} set ${table === 'names' ? `"${'c7_'.padEnd(400, 'é')}" = 'z'` : 'id = id'} where id = 1`,
      ])
        expect((await answerOf('preview_write', 'sqlite', { sql })).bytes).toBeLessThanOrEqual(mostBytes);
      const described = { tables: [table, 'types', 'names'], include_sample: true, include_ddl: true };
      expect((await answerOf('describe_table', 'sqlite', described)).bytes).toBeLessThanOrEqual(mostBytes);
    });
  });

  test('SQLite: a table name as long as a book: listed, searched, completed, in an error and in a preview', async () => {
    const listed = await answerOf('list_tables', 'sqlite', {});
    expect(listed.bytes).toBeLessThan(3_000);
    expect(listed.structuredContent.total).toBe(6);
    expect((await answerOf('list_tables', 'sqlite', { search: 'nnnn' })).bytes).toBeLessThan(3_000);
    const ref = { type: 'ref/prompt', name: 'explain_table' };
    const asked = { ref, argument: { name: 'table', value: '' }, context: { arguments: { connection: 'File' } } };
    const { text } = await send(three.url, modern(token, 'completion/complete', asked));
    expect(text).toContain('"one_name"');
    expect(text.length).toBeLessThan(3_000);
  });

  test('PostgreSQL: a word that is in the comments of a thousand columns', async () => {
    const { bytes, text } = await answerOf('list_tables', 'postgres', { search: 'needle' });
    expect(bytes).toBeLessThan(3_000);
    expect(text).toContain('and 1496 more');
  });

  test('PostgreSQL: a cascade through a hundred tables', async () => {
    const { structuredContent } = await answerOf('preview_write', 'postgres', {
      sql: 'delete from parent where id < 90',
    });
    expect(structuredContent.changes).toHaveLength(50);
    expect(structuredContent.warnings).toContain('Rows of 41 more tables change.');
  });

  test('MariaDB: hundreds of databases', async () => {
    const { bytes, structuredContent } = await answerOf('list_tables', 'mysql', {});
    expect(bytes).toBeLessThan(40_000);
    expect(structuredContent.databases).toHaveLength(200);
    expect(structuredContent.databases_in_all).toBeGreaterThan(databases);
  });
});
