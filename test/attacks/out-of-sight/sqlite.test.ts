/**
 * Tables out of sight in an SQLite file (spec §6): no attempt with a token that may write shows or
 * changes a hidden row, or tells a name that it didn't bring. What people send to the other tables
 * runs.
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer, Database } from '../../../daemon/engines/engine.ts';
import { inSight } from '../../../daemon/engines/in-sight.ts';
import { namesIn } from '../../../daemon/guard/sqlite/names.ts';
import { tokenize } from '../../../daemon/guard/sqlite/tokenizer.ts';
import { call } from '../../engines/collecting-sink.ts';
import { openFile } from '../../engines/sqlite/engine.ts';
import { withDriver } from '../../engines/sqlite/temporary-folder.ts';
import { asked } from './ask.ts';
import { resultOf } from './result-of.ts';
import { besideAKeyword, keywords } from './sqlite-keywords.ts';
import { attempts, canary, fixture, hiddenNames, honest, sight } from './sqlite-statements.ts';

/** As for a name that nothing has, refused unasked, or by the class. */
const missing = /^query_failed: no such (?:table|view|index|trigger): |^unsupported: |^forbidden/;
const syntax = /circular reference|syntax error|already exists|token that SQLite does not know/;
const hidden = ['secret_pay', 'secret_log', 'vault', 'secret_ft', 'secret_tags', 'refunds'];
const patienceMilliseconds = 240_000;

let folder = '';
let database: Database;
let hiding: Database;
const file = () => join(folder, 'shop.db');
const made = () => join(folder, 'made.db');

function held(): unknown {
  let rows: unknown;
  withDriver(file(), driver => {
    rows = hidden.map(table => driver.prepare(`select * from ${table}`).all());
  });
  return JSON.parse(JSON.stringify(rows));
}

function answered<T>(answer: Answer<T>): T {
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-sight-'));
  withDriver(made(), driver => driver.exec(fixture));
  copyFileSync(made(), file());
  database = openFile(file());
  hiding = inSight(database, sight);
});
beforeEach(() => copyFileSync(made(), file()));
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('tables out of sight in an SQLite file', () => {
  test(
    'no attempt reaches one',
    async () => {
      const before = held();
      const sent = Object.values(attempts).flat();
      expect(sent.length).toBeGreaterThanOrEqual(150);
      const ends = await asked(
        'sqlite',
        hiding,
        sent.map(sql => ({ sql })),
      );
      const told = ends.flatMap(({ sql, answer }) =>
        [canary, ...hiddenNames]
          .filter(name => answer.toLowerCase().includes(name) && !sql.toLowerCase().includes(name))
          .map(name => `${sql} told ${name}`),
      );
      expect(told).toEqual([]);
      const others = ends.filter(({ end }) => !missing.test(end) && !syntax.test(end));
      expect(others.map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      expect(held()).toEqual(before);
    },
    patienceMilliseconds,
  );

  test(
    'what people send runs as it does with all in sight',
    async () => {
      expect(honest.length).toBeGreaterThanOrEqual(80);
      const differ: string[] = [];
      for (const sql of honest) {
        copyFileSync(made(), file());
        const [seen] = await asked('sqlite', hiding, [{ sql }]);
        copyFileSync(made(), file());
        const [plain] = await asked('sqlite', database, [{ sql }]);
        if (resultOf(seen?.answer) !== resultOf(plain?.answer)) differ.push(`${sql}: ${seen?.end}`);
      }
      // REPLACE of a row that a hidden one follows.
      expect(differ).toEqual([expect.stringMatching(/^replace into customers .*: unsupported: The statement reaches/)]);
    },
    patienceMilliseconds,
  );

  test('nothing that lists, describes or searches names one', async () => {
    const all = { ...call, signal: new AbortController().signal };
    const tables = answered(await hiding.listTables(all));
    expect(tables.map(({ name }) => name).sort()).toEqual(
      'cities copies customers docs items open_orders orders over_shown places refunds shown_natural shown_total tags'.split(
        ' ',
      ),
    );
    const described = answered(await hiding.describeTables(all, ['refunds', 'orders', 'items', 'customers'], true));
    expect(described.filter(each => each === null)).toEqual([]);
    expect(answered(await hiding.describeTables(all, ['vault', 'PAY_VIEW', 'vault_index'], true))).toEqual([
      null,
      null,
      null,
    ]);
    const told = JSON.stringify([tables, described, answered(await hiding.catalogTexts(all, null))]);
    // What a person shows on purpose has its own text.
    const names = hiddenNames.filter(name => name !== 'secret_pay');
    expect(names.filter(name => told.includes(name))).toEqual([]);
  });

  test('with a list of what is met, all else is hidden, and parts follow their table', async () => {
    const listed = inSight(database, { hide: [], only: ['orders', 'docs'], show: [] });
    const ends = await asked(
      'sqlite',
      listed,
      ['select total from orders', "select * from docs where docs match 'first'", 'select * from docs_content'].map(
        sql => ({ sql }),
      ),
    );
    expect(ends.map(({ end }) => end)).toEqual(['success', 'success', 'success']);
    const others = ['customers', 'open_orders', 'places', 'places_node', 'shown_total', 'vault', 'secret_ft_content'];
    const refused = await asked(
      'sqlite',
      listed,
      others.map(name => ({ sql: `select * from ${name}` })),
    );
    expect(refused.map(({ end }) => end)).toEqual(
      others.map(name => expect.stringContaining(`no such table: ${name}`)),
    );
  });

  test('a name is found whatever the ones beside it are called', () => {
    const words = [...keywords, 'name'];
    withDriver(':memory:', driver => {
      driver.exec('create table orders (id); create table vault (id); create index orders_id on orders (id)');
      for (const word of words) driver.exec(`create table "${word}" (id)`);
      const allowed = words.flatMap(word =>
        besideAKeyword(word).filter(sql => {
          try {
            return driver.prepare(sql) !== undefined;
          } catch {
            return false;
          }
        }),
      );
      expect(allowed.length).toBeGreaterThan(1_000);
      const names = (sql: string) => namesIn(tokenize(sql)).tables.map(({ name }) => name);
      expect(allowed.filter(sql => !names(sql).includes('vault'))).toEqual([]);
    });
  });

  test("a table that isn't there is told in the same words", async () => {
    const [gone, unseen] = await asked('sqlite', hiding, [
      { sql: 'select * from nowhere' },
      { sql: 'select * from vault' },
    ]);
    expect(unseen?.end).toBe(gone?.end.replace('nowhere', 'vault'));
  });
});
