/**
 * Bytes that aren't UTF-8: each answer that shows U+FFFD for them says so (spec §8), and no other
 * answer does.
 */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithThreeEngines } from './three-engines.ts';

const table = 'create table notes (id integer primary key, kind text, body text)';
const replaced = expect.stringContaining('not UTF-8');

describeWithThreeEngines(
  'text that isn’t UTF-8',
  three => {
    let token: string;
    beforeAll(async () => {
      ({ token } = await three.mint('--scope', 'read-write'));
      const { postgres } = three;
      await postgres.psql("create database bytes encoding 'SQL_ASCII' template template0");
      await postgres.psql(
        String.raw`${table}; insert into notes values (1, 'good', 'a'), (2, E'a\xffb', 'a'), (3, 'good', E'a\xffb');
          create table plain as select 'a' as v`,
        'bytes',
      );
      three.executeOnFile(`${table};
        insert into notes values (1, 'good', 'a'), (2, cast(x'61ff62' as text), 'a'), (3, 'good', cast(x'61ff62' as text));
        create table plain as select 'a' as v`);
      const url = `postgresql://${postgres.superuser}@127.0.0.1:${postgres.port}/bytes`;
      const added = await three.here(
        ['connections', 'add', url, '--name', 'Bytes', '--password-stdin'],
        postgres.password,
      );
      expect(added).toMatchObject({ code: 0 });
      for (const name of ['Bytes', 'File'])
        await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
    }, 60_000);

    const answerOf = (tool: string, args: Record<string, unknown>) => three.answer(token, tool, args);

    const badText = '(select body from notes where id = 3)';

    describe.each(['File', 'Bytes'])('%s', connection => {
      test.each(['csv', 'json', 'ndjson'])('a file of %s', async format => {
        const answer = await answerOf('export_data', { connection, table: 'notes', format });
        expect(readFileSync(String(answer.path), 'utf8')).toContain('a\ufffdb');
        expect(answer.warnings).toEqual([replaced]);
        const plain = await answerOf('export_data', { connection, table: 'plain', format });
        expect(plain).not.toHaveProperty('warnings');
      });

      test('each page reports its own cells', async () => {
        const long = 'x'.repeat(1_520);
        const sql = `select '${long}' as v union all select ${badText} union all select '${long}' || 'y'`;
        const first = await answerOf('execute_query', { connection, sql, max_bytes: 2_048 });
        const pages = [first];
        for (let page = first; page.next_cursor !== undefined; ) {
          page = await answerOf('fetch_rows', { cursor: page.next_cursor, max_rows: 1 });
          pages.push(page);
        }
        expect(pages.length).toBeGreaterThanOrEqual(2);
        expect(pages.map(({ rows, warnings }) => [JSON.stringify(rows).includes('\ufffd'), warnings])).toEqual(
          pages.map(({ rows }) => (JSON.stringify(rows).includes('\ufffd') ? [true, [replaced]] : [false, undefined])),
        );
        expect(JSON.stringify(first.rows)).not.toContain('\ufffd');
        const whole = await answerOf('execute_query', { connection, sql });
        expect(whole).toMatchObject({ warnings: [replaced] });
        expect(whole).not.toHaveProperty('truncated');
      });

      test.each([
        ['before', 'update notes set body = null where id = 3', [replaced]],
        ['after', `update notes set body = ${badText} where id = 1`, [replaced]],
        ['before and after', `update notes set body = ${badText} where id = 2`, [replaced]],
        ['what the statement returned', `insert into notes values (9, 'x', ${badText}) returning body`, [replaced]],
        ['nothing that is shown', "update notes set body = 'b' where id = 1", undefined],
      ])('a preview of %s', async (_, sql, warnings) => {
        expect((await answerOf('preview_write', { connection, sql })).warnings).toEqual(warnings);
      });

      test('a description with rows or values, but not one without', async () => {
        const described = (more: Record<string, unknown>) => answerOf('describe_table', { connection, ...more });
        expect(await described({ table: 'notes' })).not.toHaveProperty('warnings');
        const both = { tables: ['notes', 'plain'], include_sample: true, include_values: true };
        for (const more of [{ table: 'notes', include_sample: true }, { table: 'notes', include_values: true }, both]) {
          const answer = await described(more);
          expect(JSON.stringify(answer.tables)).toContain('a\ufffdb');
          expect(answer.warnings).toEqual([replaced]);
        }
        expect(await described({ ...both, tables: ['plain'] })).not.toHaveProperty('warnings');
      });
    });
  },
  { exports: 'at home' },
);
